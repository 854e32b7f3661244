import Baton
import ChallengesPostgres
import ProductKit

/// Formats boards as text.
struct BoardPage {
  private let standings: [Standing]

  init(_ standings: [Standing]) { self.standings = standings }

  /// The boards as text, separated by empty lines.
  var text: String {
    guard !standings.isEmpty else { return "no standings\n" }
    var lines: [String] = []
    var last: Standing?
    let names = names
    let width = names.map(\.count).max() ?? 0
    for (standing, name) in zip(standings, names) {
      if last?.board != standing.board {
        if last != nil { lines.append("") }
        lines.append("\(standing.group) · week of \(standing.weekStart) · \(standing.type)")
      }
      lines.append(line(standing, name, width: width))
      last = standing
    }
    return lines.joined(separator: "\n") + "\n"
  }

  /// The members' names, followed by the user's id if two members of a board have the same name.
  private var names: [String] {
    // Names are compared with the `==` of `String`, because two names that look the same must count
    // as equal.
    let all = Dictionary(grouping: standings) { BoardName(board: $0.board, name: $0.member) }
    return standings.map { standing in
      all[BoardName(board: standing.board, name: standing.member)]?.count == 1
        ? standing.member : "\(standing.member) (\(standing.userID))"
    }
  }

  private func line(_ standing: Standing, _ name: String, width: Int) -> String {
    let rank = String(standing.rank).leftPadded(to: 4)
    let member = name + String(repeating: " ", count: width - name.count)
    let value = String(standing.value).leftPadded(to: 4)
    let bar = String(repeating: "▪", count: min(max(0, Int(standing.value)), 30))
    return "\(rank)  \(member)  \(value) \(moved(standing)) \(bar)"
  }

  /// Returns the change in the member's rank since the previous week, as text.
  private func moved(_ standing: Standing) -> String {
    guard let before = standing.rankBefore else { return " new" }
    if before == standing.rank { return "   =" }
    let arrow = before > standing.rank ? "↑" : "↓"
    return "\(arrow)\(abs(before - standing.rank))".leftPadded(to: 4)
  }
}

/// A member's name and the board on which the name appears.
private struct BoardName: Hashable {
  let board: [[UInt8]]
  let name: String
}

extension Standing {
  /// The bytes of the values that identify a board.
  fileprivate var board: [[UInt8]] { [group.bytes, weekStart.bytes, type.bytes] }
}

extension String {
  fileprivate func leftPadded(to width: Int) -> String {
    String(repeating: " ", count: max(0, width - count)) + self
  }
}
