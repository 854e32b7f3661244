extension Unicode.Scalar {
  /// Whether the scalar must be escaped for a terminal or a log.
  ///
  /// Control characters, line breaks, and characters that change the direction of the surrounding
  /// text are escaped. If unsafe characters were not escaped, a text could forge log lines or hide
  /// part of itself.
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
  /// The maximum size, in bytes, of a message or of a value in a log line.
  package static let longestLogged = 16_384

  /// Returns the text with unsafe characters replaced by escapes such as `\n` and `\u{202E}`.
  ///
  /// All strings that Baton prints or logs pass through this method.
  ///
  /// - Parameter keepsLines: whether line feeds and tabs remain unchanged.
  package func printable(keepsLines: Bool = false) -> String {
    func isKept(_ scalar: Unicode.Scalar) -> Bool {
      !scalar.isUnprintable || keepsLines && (scalar == "\n" || scalar == "\t")
    }
    // Nearly all strings are printable, so a printable string is returned without a copy.
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

  /// The text on one line, as it is written in a log message.
  ///
  /// If the text is longer than the maximum size of a log message, its middle is removed.
  package var logged: String { shortened(to: Self.longestLogged).printable() }

  /// The text, escaped for use as the name or the value of a field in a text log line.
  ///
  /// A string with a space, `=` or `"` is quoted as in logfmt, so that it cannot add a field to the
  /// line. Inside the quotes, each `\` and `"` is escaped with `\`.
  package var loggedField: String {
    let short = shortened(to: Self.longestLogged)
    let isQuoted = short.unicodeScalars.contains {
      $0 == "=" || $0 == "\"" || $0.properties.isWhitespace
    }
    guard isQuoted else { return short.printable() }
    var text = "\""
    for scalar in short.unicodeScalars {
      if scalar == "\\" || scalar == "\"" { text += "\\" }
      text.unicodeScalars.append(scalar)
    }
    return text.printable() + "\""
  }

  /// Returns the JSON text with escapes for characters that are unsafe for a terminal.
  ///
  /// Unsafe characters occur only in the strings of a JSON text, so the escapes do not change the
  /// value.
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

  /// Returns the text.
  ///
  /// If the text has more than `most` bytes, a note about the size replaces its middle.
  package func shortened(to most: Int) -> String {
    let size = utf8.count
    guard size > most else { return self }
    let (head, tail) = (utf8.prefix(most * 3 / 4), utf8.suffix(most / 4))
    return String(decoding: head, as: UTF8.self) + " ... (\(size) bytes) ... "
      + String(decoding: tail, as: UTF8.self)
  }
}
