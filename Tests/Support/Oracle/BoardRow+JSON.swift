import Foundation

extension BoardRow {
  /// The reason why a line is not a row of a board.
  package struct JSONFailure: Error, CustomStringConvertible {
    /// The unchanged line.
    package let jsonLine: String
    /// The mistake in the line.
    package let reason: String

    /// The reason, the line, and the next step.
    package var description: String {
      "\(reason), in \(jsonLine); print one JSON object a line with the seven keys of a board row, or those and user_id and rank_before."
    }
  }

  private enum Key: String, CodingKey, CaseIterable {
    case group, type, member, value, rank, position
    case weekStart = "week_start"
  }

  /// A coding key with any name, which makes additional keys detectable.
  private struct AnyKey: CodingKey {
    let stringValue: String
    let intValue: Int? = nil
    init?(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }

  private struct Wire: Decodable {
    /// The keys that `board --json` adds to the keys of an export.
    static let more: Set = ["user_id", "rank_before"]
    let row: BoardRow

    init(from decoder: any Decoder) throws {
      let keys = try decoder.container(keyedBy: AnyKey.self).allKeys.map(\.stringValue)
      let more = Set(keys).subtracting(Key.allCases.map(\.rawValue))
      guard keys.count == more.count + Key.allCases.count, more.isEmpty || more == Self.more else {
        throw JSONFailure(jsonLine: "", reason: "The keys are \(keys.sorted())")
      }
      let fields = try decoder.container(keyedBy: Key.self)
      let word = try fields.decode(String.self, forKey: .type)
      guard let type = Kind(rawValue: word) else {
        throw JSONFailure(jsonLine: "", reason: "There is no board of type \(word)")
      }
      row = BoardRow(
        group: Name(try fields.decode(String.self, forKey: .group)),
        weekStart: try fields.decode(String.self, forKey: .weekStart),
        type: type,
        member: Name(try fields.decode(String.self, forKey: .member)),
        value: try fields.decode(Int.self, forKey: .value),
        rank: try fields.decode(Int.self, forKey: .rank),
        position: try fields.decode(Int.self, forKey: .position))
    }
  }

  /// Parses one line of `gymrats board --json` or of an export.
  ///
  /// - Throws: `JSONFailure` unless the line is an object with the seven keys of an export,
  ///   optionally with the two additional keys of `board --json`. Each value must have the right
  ///   type.
  package init(jsonLine: String) throws {
    do {
      self = try JSONDecoder().decode(Wire.self, from: Data(jsonLine.utf8)).row
    } catch let failure as JSONFailure {
      throw JSONFailure(jsonLine: jsonLine, reason: failure.reason)
    } catch {
      throw JSONFailure(jsonLine: jsonLine, reason: "Not a row of a board (\(error))")
    }
  }
}
