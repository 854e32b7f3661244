#if HTTP
  import Foundation

  /// A JSON value whose fields are not known at compile time.
  package enum JSONValue: Sendable, Equatable {
    case null
    case flag(Bool)
    case integer(Int64)
    case number(Double)
    case text(String)
    case list([JSONValue])
    case object([String: JSONValue])

    /// The maximum nesting depth of objects and lists in a request.
    ///
    /// The decoder calls itself for each level, so a more deeply nested value could exhaust the
    /// stack.
    static let mostLevels = 8
    /// The maximum number of values in a request.
    ///
    /// The decoder tries several types for each value, so a body of many small values would need
    /// much CPU time. Clients without a token can also send such a body.
    static let mostValues = 4_096

    /// Parses a request's body, or returns nil if it is not a JSON object in UTF-8 or has too many
    /// levels or values.
    package init?(_ bytes: [UInt8]) {
      // UTF-16 and UTF-32 are rejected, because `isSmallObject` can count brackets only in UTF-8.
      // In UTF-16 and UTF-32, each bracket is encoded with a zero byte. JSON in UTF-8 contains no
      // zero bytes.
      guard !bytes.contains(0), Self.isSmallObject(bytes),
        let value = try? JSONDecoder().decode(JSONValue.self, from: Data(bytes))
      else { return nil }
      self = value
    }

    /// The value as JSON text, with the fields of objects in alphabetical order.
    package var json: String {
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
      guard let data = try? encoder.encode(self) else {
        preconditionFailure("a number of the program is not a number of JSON")
      }
      return String(decoding: data, as: UTF8.self)
    }

    /// Returns whether the JSON begins with an object that has few levels and values, without
    /// decoding it.
    private static func isSmallObject(_ bytes: [UInt8]) -> Bool {
      let blanks = [UInt8](" \t\n\r".utf8)
      guard bytes.first(where: { !blanks.contains($0) }) == UInt8(ascii: "{") else { return false }
      var (level, values, isText, isEscaped) = (0, 0, false, false)
      for byte in bytes {
        // Each value in the object is preceded by an opening bracket or a comma, so the object
        // contains at most this many values.
        guard level <= mostLevels, values <= mostValues else { return false }
        switch byte {
        case _ where isEscaped: isEscaped = false
        case UInt8(ascii: "\\") where isText: isEscaped = true
        case UInt8(ascii: "\""): isText.toggle()
        case UInt8(ascii: "{") where !isText, UInt8(ascii: "[") where !isText:
          level += 1
          values += 1
        case UInt8(ascii: ",") where !isText: values += 1
        case UInt8(ascii: "}") where !isText, UInt8(ascii: "]") where !isText: level -= 1
        default: break
        }
      }
      return true
    }
  }

  extension JSONValue: Codable {
    package init(from decoder: any Decoder) throws {
      let value = try decoder.singleValueContainer()
      if value.decodeNil() {
        self = .null
      } else if let flag = try? value.decode(Bool.self) {
        self = .flag(flag)
      } else if let integer = try? value.decode(Int64.self) {
        self = .integer(integer)
      } else if let number = try? value.decode(Double.self) {
        self = .number(number)
      } else if let text = try? value.decode(String.self) {
        self = .text(text)
      } else if let list = try? value.decode([JSONValue].self) {
        self = .list(list)
      } else {
        self = .object(try value.decode([String: JSONValue].self))
      }
    }

    package func encode(to encoder: any Encoder) throws {
      var value = encoder.singleValueContainer()
      switch self {
      case .null: try value.encodeNil()
      case .flag(let flag): try value.encode(flag)
      case .integer(let integer): try value.encode(integer)
      case .number(let number): try value.encode(number)
      case .text(let text): try value.encode(text)
      case .list(let list): try value.encode(list)
      case .object(let fields): try value.encode(fields)
      }
    }
  }

  extension JSONValue: ExpressibleByStringLiteral, ExpressibleByBooleanLiteral,
    ExpressibleByIntegerLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
  {
    package init(stringLiteral text: String) { self = .text(text) }
    package init(booleanLiteral flag: Bool) { self = .flag(flag) }
    package init(integerLiteral integer: Int64) { self = .integer(integer) }
    package init(arrayLiteral list: JSONValue...) { self = .list(list) }
    package init(dictionaryLiteral fields: (String, JSONValue)...) {
      self = .object(Dictionary(fields) { first, _ in first })
    }
  }
#endif
