#if HTTP
  import Baton
  import ProductKit

  /// The shape of a JSON object in requests and responses.
  ///
  /// The server checks requests against the shape. The OpenAPI description contains the shape. A
  /// test checks that responses have the described shape.
  package struct Shape: Sendable {
    /// The type of a value.
    package indirect enum Kind: Sendable {
      /// A string whose number of Unicode scalars is in the given range.
      case text(ClosedRange<Int>)
      /// A string of this form.
      case form(TextForm)
      /// A string with one of these values.
      case word([String])
      case integer(ClosedRange<Int64>)
      case number(ClosedRange<Double>)
      case flag
      /// An instant, such as `2026-01-15T09:30:00.000000Z`.
      case instant
      case list(Kind, most: Int)
      /// A list that contains exactly one value of each of the given types, in the given order.
      case tuple([Kind])
      case object(Shape)
      /// An object whose fields are not described.
      case record
    }

    /// A field of an object.
    package struct Field: Sendable {
      let name: String
      let kind: Kind
      let isOptional: Bool
    }

    /// The name of the shape in the OpenAPI description.
    package let name: String
    package let fields: [Field]

    /// Creates a shape from required and optional fields.
    package init(
      _ name: String, _ required: KeyValuePairs<String, Kind> = [:],
      optional: KeyValuePairs<String, Kind> = [:]
    ) {
      self.name = name
      fields =
        required.map { Field(name: $0.key, kind: $0.value, isOptional: false) }
        + optional.map { Field(name: $0.key, kind: $0.value, isOptional: true) }
    }

    /// Creates a shape whose fields are lists of objects that are not described.
    package init(_ name: String, listsOfRecords names: [String]) {
      self.name = name
      fields = names.map {
        Field(name: $0, kind: .list(.record, most: Int(Int32.max)), isOptional: false)
      }
    }
  }

  // MARK: Checks

  extension Shape {
    /// Returns the problem with a value, or nil if the value has this shape.
    func problem(with value: JSONValue, at place: String) -> String? {
      guard case .object(let values) = value else { return "\(place) is not a JSON object" }
      let known = Set(fields.map(\.name))
      if let unknown = values.keys.sorted().first(where: { !known.contains($0) }) {
        return "'\(unknown.shortened(to: 64))' is not a field of \(place)"
      }
      for field in fields {
        guard let value = values[field.name] else {
          if field.isOptional { continue }
          return "'\(field.name)' is missing in \(place)"
        }
        if let problem = field.kind.problem(with: value, at: "'\(field.name)'") { return problem }
      }
      return nil
    }
  }

  extension Shape.Kind {
    /// Returns the problem with a value, or nil if the value has this type.
    func problem(with value: JSONValue, at place: String) -> String? {
      switch (self, value) {
      case (.object(let shape), _): return shape.problem(with: value, at: place)
      case (.list(let kind, let most), .list(let values)):
        guard values.count <= most else { return "\(place) has more than \(most) elements" }
        for value in values {
          if let problem = kind.problem(with: value, at: "an element of \(place)") {
            return problem
          }
        }
        return nil
      case (.tuple(let kinds), .list(let values)):
        guard values.count == kinds.count else {
          return "\(place) does not have \(kinds.count) elements"
        }
        for (kind, value) in zip(kinds, values) {
          if let problem = kind.problem(with: value, at: "an element of \(place)") {
            return problem
          }
        }
        return nil
      default: return isGood(value) ? nil : "\(place) is not \(words)"
      }
    }

    private func isGood(_ value: JSONValue) -> Bool {
      switch (self, value) {
      case (.text(let length), .text(let text)): length.contains(text.unicodeScalars.count)
      case (.form(let form), .text(let text)): form.isMatched(by: text)
      case (.word(let words), .text(let text)): words.contains(text)
      case (.integer(let range), .integer(let number)): range.contains(number)
      case (.number(let range), .integer(let number)): range.contains(Double(number))
      case (.number(let range), .number(let number)): range.contains(number)
      case (.flag, .flag): true
      case (.record, .object): true
      case (.instant, .text(let text)): InstantText.date(text) != nil
      default: false
      }
    }

    /// Returns the JSON value of a string in a path or a query.
    func value(of text: String) -> JSONValue {
      switch self {
      case .integer: Int64(text).flatMap { "\($0)" == text ? .integer($0) : nil } ?? .text(text)
      case .number: Double(text).flatMap { $0.isFinite ? .number($0) : nil } ?? .text(text)
      case .flag: ["true": .flag(true), "false": .flag(false)][text] ?? .text(text)
      default: .text(text)
      }
    }

    private var words: String {
      switch self {
      case .text(let length): "a text of \(length.lowerBound) to \(length.upperBound) characters"
      case .form(let form): form.words
      case .word(let words): "one of \(words.joined(separator: ", "))"
      case .integer(let range): "a whole number from \(range.lowerBound) to \(range.upperBound)"
      case .number(let range): "a number from \(range.lowerBound) to \(range.upperBound)"
      case .flag: "true or false"
      case .instant: "an instant such as 2026-01-15T09:30:00Z"
      case .list, .tuple: "a list"
      case .object, .record: "a JSON object"
      }
    }
  }

  // MARK: JSON Schema

  extension Shape {
    /// The shape as JSON Schema, with references to the shapes in its fields.
    var schema: JSONValue {
      [
        "type": "object",
        "properties": .object(
          Dictionary(fields.map { ($0.name, $0.kind.schema) }) { first, _ in first }),
        "required": .list(fields.filter { !$0.isOptional }.map { .text($0.name) }),
        "additionalProperties": false,
      ]
    }

    /// The shape and all shapes in its fields, keyed by name.
    var all: [String: Shape] {
      fields.reduce(into: [name: self]) { all, field in
        all.merge(field.kind.shapes) { first, _ in first }
      }
    }
  }

  extension Shape.Kind {
    /// The type as JSON Schema.
    var schema: JSONValue {
      switch self {
      case .text(let length):
        [
          "type": "string", "minLength": .integer(Int64(length.lowerBound)),
          "maxLength": .integer(Int64(length.upperBound)),
        ]
      case .form(let form): ["type": "string", "pattern": .text(form.pattern)]
      case .word(let words): ["type": "string", "enum": .list(words.map { .text($0) })]
      case .integer(let range):
        [
          "type": "integer", "minimum": .integer(range.lowerBound),
          "maximum": .integer(range.upperBound),
        ]
      case .number(let range):
        [
          "type": "number", "minimum": .number(range.lowerBound),
          "maximum": .number(range.upperBound),
        ]
      case .flag: ["type": "boolean"]
      case .instant: ["type": "string", "format": "date-time"]
      case .list(let kind, let most):
        ["type": "array", "items": kind.schema, "maxItems": .integer(Int64(most))]
      case .tuple(let kinds):
        [
          "type": "array", "prefixItems": .list(kinds.map(\.schema)), "items": false,
          "minItems": .integer(Int64(kinds.count)),
        ]
      case .object(let shape): ["$ref": .text("#/components/schemas/\(shape.name)")]
      case .record: ["type": "object"]
      }
    }

    /// The shapes in this type, keyed by name.
    var shapes: [String: Shape] {
      switch self {
      case .object(let shape): shape.all
      case .list(let kind, _): kind.shapes
      case .tuple(let kinds):
        kinds.reduce(into: [:]) { all, kind in all.merge(kind.shapes) { first, _ in first } }
      default: [:]
      }
    }
  }
#endif
