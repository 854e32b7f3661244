/// An invite code for joining a group: 16 characters, shown as `ABCD-EFGH-JKMN-PQRS`.
///
/// A code uses Crockford's base 32, which omits the letters I, L, O and U. The letters I, L and O
/// resemble digits. A code has 80 random bits and therefore cannot be guessed.
public struct InviteCode: Hashable, Sendable, LosslessStringConvertible {
  /// The code's 16 characters without hyphens, as in JSON.
  public let text: String

  /// The characters that a code can contain, ordered by numeric value.
  public static let alphabet = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
  /// The number of characters in a code.
  public static let length = 16
  /// The maximum length of a typed string that may be a code.
  ///
  /// A string that exceeds the maximum length is rejected.
  private static let longest = 64

  /// Creates a code from a string that a user has typed, or returns nil if it cannot be a code.
  ///
  /// Case, whitespace and hyphens are ignored. The letters I and L are read as the digit 1, and the
  /// letter O is read as the digit 0.
  public init?(_ typed: String) {
    guard typed.utf8.count <= Self.longest else { return nil }
    var text = ""
    for scalar in typed.unicodeScalars where !Self.isPassedOver(scalar) {
      guard let character = Self.character(scalar) else { return nil }
      text.append(character)
    }
    self.init(exactly: text)
  }

  /// Creates a code from exactly 16 characters, as in JSON, or returns nil for any other string.
  public init?(exactly text: String) {
    guard text.utf8.count == Self.length, text.allSatisfy(Self.alphabet.contains) else {
      return nil
    }
    self.text = text
  }

  private init(characters: [Character]) { text = String(characters) }

  /// Returns a random code that cannot be guessed.
  public static func random() -> InviteCode {
    var generator = SystemRandomNumberGenerator()
    return random(using: &generator)
  }

  /// Returns a code from the given random number generator, for tests.
  public static func random(using generator: inout some RandomNumberGenerator) -> InviteCode {
    let characters = Array(alphabet)
    return InviteCode(
      characters: (0..<length).map { _ in
        characters[Int.random(in: characters.indices, using: &generator)]
      })
  }

  /// The code in four groups, as in `ABCD-EFGH-JKMN-PQRS`.
  public var description: String {
    stride(from: 0, to: Self.length, by: 4)
      .map { text.dropFirst($0).prefix(4) }.joined(separator: "-")
  }

  private static func isPassedOver(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar {
    // A phone or a document may have replaced a hyphen with a similar character.
    case "-", "\u{2010}", "\u{2011}", "\u{2012}", "\u{2013}", "\u{2212}": true
    default: scalar.properties.isWhitespace
    }
  }

  private static func character(_ scalar: Unicode.Scalar) -> Character? {
    switch scalar {
    case "I", "i", "L", "l": "1"
    case "O", "o": "0"
    // The `uppercased()` method is not used, because it would convert some characters from other
    // alphabets into code letters.
    case "a"..."z": Unicode.Scalar(scalar.value - 32).map(Character.init)
    default: Character(scalar)
    }
  }
}

extension InviteCode: Codable {
  /// Decodes a code from a 16-character string.
  public init(from decoder: any Decoder) throws {
    let value = try decoder.singleValueContainer()
    guard let code = InviteCode(exactly: try value.decode(String.self)) else {
      throw DecodingError.dataCorruptedError(in: value, debugDescription: "not an invite code")
    }
    self = code
  }

  /// Encodes the code as a 16-character string.
  public func encode(to encoder: any Encoder) throws {
    var value = encoder.singleValueContainer()
    try value.encode(text)
  }
}
