import Baton
import Foundation
import JobRunner

/// A field of an API request, which has the same format in a path, a query and a body.
enum APIField: String, Sendable, CaseIterable {
  /// A field in a path.
  case id, job, name
  /// A field in a query.
  case state, key, group, before
  /// A field in a body.
  case limit, dryRun, from, to, payload

  /// The rule for valid values.
  var rule: FieldRule {
    switch self {
    case .id: .id
    case .job, .name: .name
    case .state: .word(RunState.allCases.map(\.rawValue))
    case .key: .key
    case .group: .group
    case .before: .cursor
    case .limit: .number(1...Int64(DeadSelection.most))
    case .dryRun: .flag
    case .from, .to: .instant
    case .payload: .payload
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

extension JSON {
  /// Returns the fields of a JSON object.
  ///
  /// - Throws: `DecodingError`.
  static func object(_ bytes: [UInt8]) throws -> [String: APIValue] {
    try JSONDecoder().decode([String: APIValue].self, from: Data(bytes))
  }
}
