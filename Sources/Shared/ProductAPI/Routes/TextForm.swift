#if HTTP
  /// A string form that the OpenAPI description contains as a regular expression.
  package struct TextForm: Sendable {
    /// The regular expression for the whole string.
    let pattern: String
    /// The form in words, for error messages.
    let words: String
    private let check: @Sendable (String.UTF8View) -> Bool

    /// Returns whether a string has this form.
    func isMatched(by text: String) -> Bool { check(text.utf8) }

    /// A UUID, such as `1b4e28ba-2fa1-11d2-883f-0016d3cca427`.
    package static let uuid = TextForm(
      pattern: "^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$", words: "a UUID"
    ) { text in
      text.count == 36
        && text.enumerated().allSatisfy { place, byte in
          [8, 13, 18, 23].contains(place) ? byte == UInt8(ascii: "-") : isHex(byte)
        }
    }

    /// A time of day, such as `22:30`.
    package static let timeOfDay = TextForm(
      pattern: "^([01][0-9]|2[0-3]):[0-5][0-9]$", words: "a time such as 22:30"
    ) { text in
      let bytes = Array(text)
      guard bytes.count == 5, bytes[2] == UInt8(ascii: ":") else { return false }
      let digits = [bytes[0], bytes[1], bytes[3], bytes[4]].map { Int($0) - 48 }
      guard digits.allSatisfy({ (0...9).contains($0) }) else { return false }
      return digits[0] * 10 + digits[1] < 24 && digits[2] < 6
    }

    /// Returns the form of strings with this number of hexadecimal digits.
    package static func hex(_ count: Int) -> TextForm {
      TextForm(pattern: "^[0-9a-fA-F]{\(count)}$", words: "\(count) hexadecimal digits") { text in
        text.count == count && text.allSatisfy { isHex($0) }
      }
    }

    /// Returns the form of base64url strings whose length is in this range.
    package static func base64URL(_ length: ClosedRange<Int>) -> TextForm {
      TextForm(
        pattern: "^[A-Za-z0-9_-]{\(length.lowerBound),\(length.upperBound)}$",
        words: "a text in base64url of at most \(length.upperBound) characters"
      ) { text in
        length.contains(text.count) && text.allSatisfy { isBase64URL($0) }
      }
    }

    private static func isBase64URL(_ byte: UInt8) -> Bool {
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"),
        UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "-"), UInt8(ascii: "_"):
        true
      default: false
      }
    }

    private static func isHex(_ byte: UInt8) -> Bool {
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"),
        UInt8(ascii: "A")...UInt8(ascii: "F"):
        true
      default: false
      }
    }

    private init(
      pattern: String, words: String, check: @escaping @Sendable (String.UTF8View) -> Bool
    ) {
      (self.pattern, self.words, self.check) = (pattern, words, check)
    }
  }
#endif
