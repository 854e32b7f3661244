import Foundation

extension Run {
  /// Decodes the payload of a run from its JSON, or from `{}` if the payload is missing.
  ///
  /// Fields that do not match a property of the job are ignored. If decoding fails, the run is
  /// retried, because another version of the program may be able to decode the payload.
  ///
  /// - Throws: ``UnreadablePayload``, or any error that the job's decoder throws.
  package static func payload(_ json: String?) throws -> J {
    do {
      let decoder = JSONDecoder()
      decoder.nonConformingFloatDecodingStrategy = .convertFromString(
        positiveInfinity: NonFinite.positive, negativeInfinity: NonFinite.negative,
        nan: NonFinite.nan)
      return try decoder.decode(J.self, from: Data((json ?? "{}").utf8))
    } catch let error as DecodingError {
      throw UnreadablePayload(error)
    }
  }

  /// Parses a run's key from text.
  ///
  /// - Throws: ``UnreadableKey``.
  @inlinable
  package static func key(_ text: String) throws(UnreadableKey) -> J.Key {
    guard let key = J.Key(text) else { throw UnreadableKey(key: text, expected: J.Key.expected) }
    return key
  }
}

/// The error for a key that cannot be parsed as the job's key type.
@usableFromInline
package struct UnreadableKey: Error, Sendable, CustomStringConvertible {
  let key: String
  let expected: String

  /// Creates the error from the key's text and from the job's description of a valid key.
  @usableFromInline
  init(key: String, expected: String) {
    self.key = key
    self.expected = expected
  }

  /// The error text, such as `the key 'abc' is not a whole number`.
  @usableFromInline
  package var description: String { "the key '\(key)' is not \(expected)" }
}

/// The error for a payload that the job cannot decode, which names the invalid field and the
/// problem.
package struct UnreadablePayload: Error, Sendable, CustomStringConvertible {
  /// The error text, such as `the payload cannot be read: address.street is missing`.
  package let description: String

  init(_ error: DecodingError) {
    description = "the payload cannot be read: \(Self.problem(error))"
  }

  /// Returns the invalid field and the problem.
  static func problem(_ error: DecodingError) -> String {
    switch error {
    case .keyNotFound(let key, let context):
      "\(place(context.codingPath + [key])) is missing"
    case .typeMismatch(let type, let context):
      "\(place(context.codingPath)) is not of type \(type)"
    case .valueNotFound(let type, let context):
      "\(place(context.codingPath)) is null and should be a \(type)"
    case .dataCorrupted(let context):
      "\(place(context.codingPath)): \(context.debugDescription)"
    @unknown default: "\(error)"
    }
  }

  private static func place(_ path: [any CodingKey]) -> String {
    guard !path.isEmpty else { return "the whole of it" }
    return path.map { $0.intValue.map { "[\($0)]" } ?? $0.stringValue }.joined(separator: ".")
  }
}
