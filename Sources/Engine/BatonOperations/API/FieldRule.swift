import Baton
import BatonJobs
import Foundation
import JobRunner

/// The rule for the values of a field.
///
/// The request parser and the OpenAPI description use the same rule, so their limits are equal.
struct FieldRule: Sendable, Equatable {
  /// The type of a value.
  enum Form: Sendable, Equatable {
    /// A whole number in decimal digits.
    case integer(ClosedRange<Int64>)
    /// A string that has an allowed number of Unicode scalars and matches the pattern.
    ///
    /// The pattern is part of the OpenAPI description, so it must have the same meaning in Swift
    /// and in ECMAScript.
    case text(ClosedRange<Int>, pattern: String)
    case word([String])
    case flag
    case instant
  }

  let form: Form
  /// The rule as readable text.
  let text: String

  /// Returns the rule for a whole number in the given range.
  static func number(_ range: ClosedRange<Int64>) -> FieldRule {
    FieldRule(
      form: .integer(range), text: "a number from \(range.lowerBound) to \(range.upperBound)")
  }

  static func word(_ words: [String]) -> FieldRule {
    FieldRule(form: .word(words), text: "one of \(words.joined(separator: ", "))")
  }

  static let id = number(1...Int64.max)
  static let name = FieldRule(
    form: .text(1...63, pattern: "^[a-z0-9-]+$"), text: "1 to 63 lower-case letters, digits and -")
  // A key with up to 256 characters can be longer than 256 bytes. If a key is longer than 256
  // bytes, the database reports that the run does not exist.
  static let key = FieldRule(
    form: .text(1...256, pattern: #"^[^\u0000-\u001f\u007f]+$"#),
    text: "a text of 1 to 256 characters without control characters")
  static let payload = FieldRule(
    form: .text(1...Request.longestBody, pattern: #"^[^\u0000]+$"#),
    text: "a payload as JSON in a text")
  static let group = FieldRule(
    form: .text(16...16, pattern: "^[0-9a-f]+$"),
    text: "16 hexadecimal digits, as returned by /api/dead")
  static let cursor = FieldRule(
    form: .text(1...RunCursor.longest, pattern: RunCursor.pattern),
    text: "the `next` of the previous page")
  static let flag = FieldRule(form: .flag, text: "true or false")
  static let instant = FieldRule(form: .instant, text: "an instant such as 2026-11-23T00:00:00Z")

  /// Returns whether a string is a valid value.
  func isGood(_ text: String) -> Bool {
    switch form {
    case .integer(let range):
      // `Int64` also accepts +1 and 007, which are not valid in JSON.
      return Int64(text).map { range.contains($0) && "\($0)" == text } ?? false
    case .text(let length, let pattern):
      // The length is checked before the pattern, so that the pattern is never applied to a long
      // text.
      guard text.utf8.count <= length.upperBound * 4, length.contains(text.unicodeScalars.count),
        let pattern = try? Regex(pattern).matchingSemantics(.unicodeScalar)
      else { return false }
      return text.wholeMatch(of: pattern) != nil
    case .word(let words): return words.contains(text)
    case .flag: return ["true", "false"].contains(text)
    case .instant: return Instant.seconds(text) != nil
    }
  }

  /// Returns whether a JSON value has the type of this rule.
  func isOfKind(_ value: APIValue) -> Bool {
    switch (form, value) {
    case (.integer, .number), (.flag, .flag): true
    case (.integer, _), (.flag, _): false
    case (_, .text): true
    default: false
    }
  }

  /// The rule as JSON Schema.
  var schema: String {
    switch form {
    case .integer(let range):
      return """
        {"type":"integer","format":"int64","minimum":\(range.lowerBound),"maximum":\(range.upperBound)}
        """
    case .text(let length, let pattern):
      return """
        {"type":"string","pattern":\(JSON.text(pattern)),"minLength":\(length.lowerBound),\
        "maxLength":\(length.upperBound)}
        """
    case .word(let words): return #"{"type":"string","enum":\#(JSON.text(words))}"#
    case .flag: return #"{"type":"boolean"}"#
    case .instant:
      // The `date-time` format would also allow the year 0000 and leap seconds, which the parser
      // rejects.
      let day = "(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])"
      let time = "([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9]"
      return """
        {"type":"string","pattern":"^(?!0000)[0-9]{4}-\(day)T\(time)Z$","format":"date-time"}
        """
    }
  }
}

/// The parser of instants in RFC 3339 format, in UTC and whole seconds.
enum Instant {
  /// Returns whole seconds since 1970-01-01 00:00 UTC, or nil if the text is invalid.
  static func seconds(_ text: String) -> Int64? { Schedule.instant(of: text) }
}
