extension Unicode.Scalar {
  /// Whether the scalar must be escaped for a terminal or a log.
  ///
  /// Control characters, line breaks, and characters that change the direction of the text around
  /// them are escaped. With such characters, a text could forge log lines or hide a part of itself.
  fileprivate var isUnprintable: Bool {
    switch value {
    case 0x61C, 0x200E, 0x200F, 0x202A...0x202E, 0x2066...0x206F: return true
    case ..<0x80: return value < 0x20 || value == 0x7F
    default: break
    }
    switch properties.generalCategory {
    case .control, .lineSeparator, .paragraphSeparator: return true
    default: return false
    }
  }
}

extension String {
  /// The maximum size of one message, or of one value of a log line, in bytes.
  package static let longestLogged = 16_384

  /// Returns the text with escapes such as `\n` and `\u{202E}` instead of all characters that a
  /// terminal or a log must not get.
  ///
  /// All texts that Baton prints or logs pass through this method.
  ///
  /// - Parameter keepsLines: whether line feeds and tabs stay, for a text of several lines.
  package func printable(keepsLines: Bool = false) -> String {
    func isKept(_ scalar: Unicode.Scalar) -> Bool {
      !scalar.isUnprintable || keepsLines && (scalar == "\n" || scalar == "\t")
    }
    // Nearly all texts are printable, so they are not copied.
    guard !unicodeScalars.allSatisfy(isKept) else { return self }
    var text = ""
    text.reserveCapacity(utf8.count + 16)
    for scalar in unicodeScalars {
      if isKept(scalar) {
        text.unicodeScalars.append(scalar)
      } else {
        text += scalar.escaped(asASCII: true)
      }
    }
    return text
  }

  /// The text on one line, of which the middle is removed if the text is longer than a log line may
  /// be.
  package var logged: String { shortened(to: Self.longestLogged).printable() }

  /// Returns JSON in which the characters that a terminal must not get are escaped.
  ///
  /// Characters that must be escaped occur only in the strings of the JSON text, so the value does
  /// not change.
  package var printableJSON: String {
    guard unicodeScalars.contains(where: \.isUnprintable) else { return self }
    var text = ""
    for scalar in unicodeScalars {
      guard scalar.isUnprintable, scalar.value <= 0xFFFF else {
        text.unicodeScalars.append(scalar)
        continue
      }
      let digits = String(scalar.value, radix: 16)
      text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
    }
    return text
  }

  /// Returns the text, with a note about its size instead of its middle if the text has more than
  /// `most` bytes.
  package func shortened(to most: Int) -> String {
    let size = utf8.count
    guard size > most else { return self }
    let (head, tail) = (utf8.prefix(most * 3 / 4), utf8.suffix(most / 4))
    return String(decoding: head, as: UTF8.self) + " ... (\(size) bytes) ... "
      + String(decoding: tail, as: UTF8.self)
  }
}
