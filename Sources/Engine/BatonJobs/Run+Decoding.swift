import Foundation

extension Run {
  /// Decodes the payload of a run from its JSON; a missing payload is decoded as `{}`.
  ///
  /// Fields that the job does not have are ignored.
  ///
  /// - Throws: ``UnreadablePayload``, or an error of the job's own decoding. The attempt fails, and the run is retried: another version of the program may read it.
  package static func payload(_ json: String?) throws -> J {
    do {
      return try JSONDecoder().decode(J.self, from: Data((json ?? "{}").utf8))
    } catch let error as DecodingError {
      throw UnreadablePayload(error)
    }
  }

  /// Parses the key of a run from its text.
  ///
  /// - Throws: ``UnreadableKey``.
  @inlinable
  package static func key(_ text: String) throws(UnreadableKey) -> J.Key {
    guard let key = J.Key(text) else { throw UnreadableKey(key: text, expected: J.Key.expected) }
    return key
  }
}

/// The error for a key that is not of the job's type.
@usableFromInline
package struct UnreadableKey: Error, Sendable, CustomStringConvertible {
  let key: String
  let expected: String

  /// Names the text, and what the job expects as a key.
  @usableFromInline
  init(key: String, expected: String) {
    self.key = key
    self.expected = expected
  }

  /// `the key 'abc' is not a whole number`.
  @usableFromInline
  package var description: String { "the key '\(key)' is not \(expected)" }
}

/// The error for a payload that the job cannot decode: the field, and what is wrong with it.
package struct UnreadablePayload: Error, Sendable, CustomStringConvertible {
  /// `the payload cannot be read: address.street is missing`.
  package let description: String

  init(_ error: DecodingError) {
    let what =
      switch error {
      case .keyNotFound(let key, let context):
        "\(Self.place(context.codingPath + [key])) is missing"
      case .typeMismatch(let type, let context):
        "\(Self.place(context.codingPath)) is not of type \(type)"
      case .valueNotFound(let type, let context):
        "\(Self.place(context.codingPath)) is null and should be a \(type)"
      case .dataCorrupted(let context):
        "\(Self.place(context.codingPath)): \(context.debugDescription)"
      @unknown default: "\(error)"
      }
    description = "the payload cannot be read: \(what)"
  }

  private static func place(_ path: [any CodingKey]) -> String {
    guard !path.isEmpty else { return "the whole of it" }
    return path.map { $0.intValue.map { "[\($0)]" } ?? $0.stringValue }.joined(separator: ".")
  }
}
