/// The code with which a user joins a group: 8 characters, shown as `ABCD-EFGH`.
///
/// It uses Crockford's base 32: without I, L, O and U, because they are mistaken for other characters. It has 40 bits,
/// which cannot be guessed in the attempts that the server allows.
public struct InviteCode: Hashable, Sendable, LosslessStringConvertible {
  /// The 8 characters, as the wire has them.
  public let text: String

  /// Digits and letters, in the order of their values.
  public static let alphabet = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
  /// How many characters a code has.
  public static let length = 8
  /// Longer texts are not read.
  private static let longest = 64

  /// A code from typed text; nil if the text cannot be one.
  ///
  /// Case, blanks and hyphens are ignored, and I, L and O are read as the digits that they look like.
  public init?(_ typed: String) {
    guard typed.utf8.count <= Self.longest else { return nil }
    var text = ""
    for scalar in typed.unicodeScalars where !Self.isPassedOver(scalar) {
      guard let character = Self.character(scalar) else { return nil }
      text.append(character)
    }
    self.init(exactly: text)
  }

  /// A code from the wire: its 8 characters and nothing else.
  public init?(exactly text: String) {
    guard text.utf8.count == Self.length, text.allSatisfy(Self.alphabet.contains) else {
      return nil
    }
    self.text = text
  }

  private init(characters: [Character]) { text = String(characters) }

  /// A random code that cannot be guessed.
  public static func random() -> InviteCode {
    var generator = SystemRandomNumberGenerator()
    return random(using: &generator)
  }

  /// The same from a source of numbers, for tests.
  public static func random(using generator: inout some RandomNumberGenerator) -> InviteCode {
    let characters = Array(alphabet)
    return InviteCode(
      characters: (0..<length).map { _ in
        characters[Int.random(in: characters.indices, using: &generator)]
      })
  }

  /// `ABCD-EFGH`.
  public var description: String { "\(text.prefix(4))-\(text.dropFirst(4))" }

  private static func isPassedOver(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar {
    // A hyphen, and what phones and documents make of one.
    case "-", "\u{2010}", "\u{2011}", "\u{2012}", "\u{2013}", "\u{2212}": true
    default: scalar.properties.isWhitespace
    }
  }

  private static func character(_ scalar: Unicode.Scalar) -> Character? {
    switch scalar {
    case "I", "i", "L", "l": "1"
    case "O", "o": "0"
    // Not `uppercased()`, which makes letters of other alphabets ours.
    case "a"..."z": Unicode.Scalar(scalar.value - 32).map(Character.init)
    default: Character(scalar)
    }
  }
}

extension InviteCode: Codable {
  /// Reads the 8 characters.
  public init(from decoder: any Decoder) throws {
    let value = try decoder.singleValueContainer()
    guard let code = InviteCode(exactly: try value.decode(String.self)) else {
      throw DecodingError.dataCorruptedError(in: value, debugDescription: "not an invite code")
    }
    self = code
  }

  /// Writes the 8 characters.
  public func encode(to encoder: any Encoder) throws {
    var value = encoder.singleValueContainer()
    try value.encode(text)
  }
}
