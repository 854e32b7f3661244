import Baton
import BatonJobs
import Foundation
import JobRunner

/// A field of an API request, which has the same format in a path, a query and a body.
enum APIField: String, Sendable, CaseIterable {
  /// A field in a path.
  case id, job, name
  /// A field in a query.
  case state, key, group, before
  /// A field in a body.
  case limit, dryRun, from, to

  /// The rule for valid values, as readable text.
  var rule: String {
    switch self {
    case .id: "a number from 1 to 9223372036854775807"
    case .job, .name: "1 to 63 lower-case letters, digits and -"
    case .state: "one of \(RunState.allCases.map(\.rawValue).joined(separator: ", "))"
    case .key: "a text of 1 to 256 characters without control characters"
    case .group: "16 hexadecimal digits, as returned by /api/dead"
    case .before: "the `next` of the previous page"
    case .limit: "a number from 1 to \(DeadSelection.most)"
    case .dryRun: "true or false"
    case .from, .to: "an instant such as 2026-11-23T00:00:00Z"
    }
  }

  /// The rule for valid values, as JSON Schema.
  var schema: String {
    switch self {
    case .id: #"{"type":"integer","format":"int64","minimum":1,"maximum":9223372036854775807}"#
    case .job, .name:
      #"{"type":"string","pattern":"^[a-z0-9-]+$","minLength":1,"maxLength":63}"#
    case .state:
      #"{"type":"string","enum":[\#(RunState.allCases.map { "\"\($0.rawValue)\"" }.joined(separator: ","))]}"#
    case .key:
      #"{"type":"string","pattern":"^[^\\u0000-\\u001f\\u007f]+$","minLength":1,"maxLength":256}"#
    case .group: #"{"type":"string","pattern":"^[0-9a-f]{16}$"}"#
    case .before: #"{"type":"string","pattern":"^[0-9]{1,19}(-[0-9]{1,19}){0,2}$"}"#
    case .limit: #"{"type":"integer","minimum":1,"maximum":\#(DeadSelection.most)}"#
    case .dryRun: #"{"type":"boolean"}"#
    case .from, .to:
      #"{"type":"string","pattern":"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$","format":"date-time"}"#
    }
  }

  /// Returns whether a text is a valid value of this field.
  func isGood(_ text: String) -> Bool {
    switch self {
    case .id: text.wholeMatch(of: /[1-9][0-9]{0,18}/) != nil && Int64(text) != nil
    case .job, .name: text.wholeMatch(of: /[a-z0-9-]{1,63}/) != nil
    case .state: RunState(rawValue: text) != nil
    case .key:
      // The upper limit is in characters. If a key has more than 256 bytes, the database reports
      // that no such run exists.
      (1...256).contains(text.unicodeScalars.count)
        && text.utf8.allSatisfy { $0 >= 32 && $0 != 127 }
    case .group: text.wholeMatch(of: /[0-9a-f]{16}/) != nil
    case .before: RunCursor(text) != nil
    case .limit: Int(text).map { (1...DeadSelection.most).contains($0) } ?? false
    case .dryRun: ["true", "false"].contains(text)
    case .from, .to: Instant.seconds(text) != nil
    }
  }

  /// Returns whether a JSON value has the type of this field.
  func isOfKind(_ value: APIValue) -> Bool {
    switch (self, value) {
    case (.limit, .number), (.dryRun, .flag): true
    case (.limit, _), (.dryRun, _): false
    case (_, .text): true
    default: false
    }
  }
}

/// A JSON value in the body of a request.
enum APIValue: Decodable {
  case text(String)
  case number(Int64)
  case flag(Bool)

  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if let flag = try? container.decode(Bool.self) {
      self = .flag(flag)
    } else if let number = try? container.decode(Int64.self) {
      self = .number(number)
    } else {
      self = .text(try container.decode(String.self))
    }
  }

  var text: String {
    switch self {
    case .text(let text): text
    case .number(let number): "\(number)"
    case .flag(let flag): "\(flag)"
    }
  }
}

/// The parser of instants in RFC 3339 format, in UTC and whole seconds.
enum Instant {
  /// Returns whole seconds since 1970-01-01 00:00 UTC, rounded down, or nil for an invalid text.
  static func seconds(_ text: String) -> Int64? {
    Date(utc: text).map { Int64($0.timeIntervalSince1970.rounded(.down)) }
  }
}

extension JSON {
  /// Returns the fields of a JSON object.
  ///
  /// - Throws: `DecodingError`.
  static func object(_ bytes: [UInt8]) throws -> [String: APIValue] {
    try JSONDecoder().decode([String: APIValue].self, from: Data(bytes))
  }
}
