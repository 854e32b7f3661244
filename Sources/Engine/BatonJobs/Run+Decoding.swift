import Foundation

extension Run {
  /// The payload of a run from its JSON; none is read as `{}`.
  ///
  /// Fields that the job does not have are ignored.
  ///
  /// - Throws: ``UnreadablePayload``, or what the job's own decoding throws: no attempt would get anywhere.
  package static func payload(_ json: String?) throws -> J {
    do {
      return try JSONDecoder().decode(J.self, from: Data((json ?? "{}").utf8))
    } catch let error as DecodingError {
      throw UnreadablePayload(error)
    }
  }

  /// The key of a run from its text.
  ///
  /// - Throws: ``UnreadableKey``.
  @inlinable
  package static func key(_ text: String) throws(UnreadableKey) -> J.Key {
    guard let key = J.Key(text) else { throw UnreadableKey(key: text, expected: J.Key.expected) }
    return key
  }
}

/// A key that is not one of the job's.
@usableFromInline
package struct UnreadableKey: Error, Sendable, CustomStringConvertible {
  let key: String
  let expected: String

  /// The text, and what the job has as keys.
  @usableFromInline
  init(key: String, expected: String) {
    self.key = key
    self.expected = expected
  }

  /// `the key 'abc' is not a whole number`.
  @usableFromInline
  package var description: String { "the key '\(key)' is not \(expected)" }
}

/// A payload that the job cannot read: where in it, and what is wrong there.
package struct UnreadablePayload: Error, Sendable, CustomStringConvertible {
  /// `the payload cannot be read: address.street is missing`.
  package let description: String

  init(_ error: DecodingError) {
    let what =
      switch error {
      case .keyNotFound(let key, let context):
        "\(Self.place(context.codingPath + [key])) is missing"
      case .typeMismatch(let type, let context):
        "\(Self.place(context.codingPath)) is no \(type)"
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
