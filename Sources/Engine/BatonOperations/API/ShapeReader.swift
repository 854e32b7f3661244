import BatonPostgres
import Foundation
import JobRunner

/// Derives the shapes of responses from Swift types, so that the OpenAPI description always matches
/// the responses.
///
/// The reader calls the compiler-generated `init(from:)` of each type, which requests each property
/// by name and type. For an optional property, the initializer first checks for null.
final class ShapeReader {
  /// The possible values of some properties of the `String` type.
  private static let words = [
    "RunRow.outcome": ["done", "dead", "cancelled"],
    "RunLife.state": ["ready", "running", "dead", "unfolded", "done", "cancelled", "ended"],
    "Attempt.outcome": ["failed", "snoozed", "done", "cancelled"],
    "Occurrence.outcome": ["fired", "skipped", "backfilled"],
    "Health.status": ["ready", "not ready"],
  ]

  private var byName: [String: Shape] = [:]

  /// Returns the shapes of the given types and of all types that they contain, sorted by name.
  ///
  /// - Throws: `DecodingError` for a type with custom decoding.
  static func shapes(of types: [any Decodable.Type]) throws -> [Shape] {
    let reader = ShapeReader()
    for type in types { _ = try reader.read(type) }
    return reader.byName.values.sorted { $0.name < $1.name }
  }

  /// Returns the name of a type's shape: the type's name, excluding the names of enclosing types.
  static func name(of type: any Decodable.Type) -> String { String(describing: type) }

  fileprivate func read<T: Decodable>(_ type: T.Type) throws -> (kind: Shape.Kind, value: T) {
    func known(_ kind: Shape.Kind, _ value: Any) throws -> (Shape.Kind, T) {
      guard let value = value as? T else { throw Self.unfit(type) }
      return (kind, value)
    }
    switch type {
    case is String.Type: return try known(.text, "")
    case is Bool.Type: return try known(.flag, false)
    case is Double.Type: return try known(.number, 0.0)
    case let number as any (FixedWidthInteger).Type: return try known(.integer, number.init(0))
    case is UUID.Type: return try known(.text, UUID())
    case is Timestamp.Type: return try known(.instant, Timestamp(microseconds: 0))
    case let cursor as RunCursor.Type:
      guard let value = cursor.init("1") else { throw Self.unfit(type) }
      return try known(.text, value)
    case let list as any ListShape.Type:
      return try known(.list(try read(list.element).kind), list.empty)
    case let map as any MapShape.Type:
      return try known(.map(try read(map.value).kind), map.empty)
    case let words as any WordShape.Type:
      guard let first = words.all.first else { throw Self.unfit(type) }
      return try known(.word(words.all.map(\.word)), first.value)
    default:
      let name = Self.name(of: type)
      let decoder = ObjectDecoder(reader: self, name: name)
      let value = try T(from: decoder)
      byName[name] = decoder.shape
      return (.one(name), value)
    }
  }

  fileprivate static func words(of name: String, _ property: String) -> Shape.Kind? {
    words["\(name).\(property)"].map { .word($0) }
  }

  fileprivate static func unfit(_ type: Any.Type) -> DecodingError {
    .typeMismatch(type, .init(codingPath: [], debugDescription: "no shape is known of \(type)"))
  }
}

/// A decoder that records the properties that a type requests.
private final class ObjectDecoder: Decoder {
  let reader: ShapeReader
  var shape: Shape
  let codingPath: [any CodingKey] = []
  let userInfo: [CodingUserInfoKey: Any] = [:]

  init(reader: ShapeReader, name: String) {
    self.reader = reader
    shape = Shape(name: name)
  }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedDecodingContainer<Key> {
    KeyedDecodingContainer(Properties<Key>(decoder: self))
  }
  func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    throw ShapeReader.unfit((any UnkeyedDecodingContainer).self)
  }
  func singleValueContainer() throws -> any SingleValueDecodingContainer {
    throw ShapeReader.unfit((any SingleValueDecodingContainer).self)
  }
}

private struct Properties<Key: CodingKey>: KeyedDecodingContainerProtocol {
  let decoder: ObjectDecoder
  let codingPath: [any CodingKey] = []
  let allKeys: [Key] = []

  func contains(_ key: Key) -> Bool { true }

  /// Records that a property is optional, because generated code calls this method only for
  /// optional properties.
  func decodeNil(forKey key: Key) -> Bool {
    decoder.shape.optional.insert(key.stringValue)
    return false
  }

  func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T {
    let (kind, value) = try decoder.reader.read(type)
    decoder.shape.properties[key.stringValue] =
      ShapeReader.words(of: decoder.shape.name, key.stringValue) ?? kind
    return value
  }

  func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type, forKey key: Key
  ) throws -> KeyedDecodingContainer<Nested> { throw ShapeReader.unfit(type) }
  func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
    throw ShapeReader.unfit((any UnkeyedDecodingContainer).self)
  }
  func superDecoder() throws -> any Decoder { decoder }
  func superDecoder(forKey key: Key) throws -> any Decoder { decoder }
}

private protocol ListShape {
  static var element: any Decodable.Type { get }
  static var empty: Any { get }
}
extension Array: ListShape where Element: Decodable {
  static var element: any Decodable.Type { Element.self }
  static var empty: Any { Self() }
}
private protocol MapShape {
  static var value: any Decodable.Type { get }
  static var empty: Any { get }
}
extension Dictionary: MapShape where Key == String, Value: Decodable {
  static var value: any Decodable.Type { Value.self }
  static var empty: Any { Self() }
}
private protocol WordShape {
  static var all: [(word: String, value: Any)] { get }
}
extension RunState: WordShape {
  static var all: [(word: String, value: Any)] { allCases.map { ($0.rawValue, $0) } }
}
