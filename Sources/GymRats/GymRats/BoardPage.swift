import Baton
import ChallengesPostgres

/// Boards as a person reads them.
struct BoardPage {
  private let standings: [Standing]

  init(_ standings: [Standing]) { self.standings = standings }

  /// One board after the other, an empty line between them.
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

  /// The member of each standing; with the user's id where two of a board have one name.
  private var names: [String] {
    let all = Dictionary(grouping: standings) { $0.board + [$0.member] }
    return standings.map { standing in
      all[standing.board + [standing.member]]?.count == 1
        ? standing.member : "\(standing.member) (\(standing.userID))"
    }
  }

  private func line(_ standing: Standing, _ name: String, width: Int) -> String {
    let rank = String(standing.rank).leftPadded(to: 4)
    let member = name + String(repeating: " ", count: width - name.count)
    let value = String(standing.value).leftPadded(to: 4)
    let bar = String(repeating: "▪", count: min(Int(standing.value), 30))
    return "\(rank)  \(member)  \(value) \(moved(standing)) \(bar)"
  }

  /// Against the member's rank in the week before.
  private func moved(_ standing: Standing) -> String {
    guard let before = standing.rankBefore else { return " new" }
    if before == standing.rank { return "   =" }
    let arrow = before > standing.rank ? "↑" : "↓"
    return "\(arrow)\(abs(before - standing.rank))".leftPadded(to: 4)
  }
}

extension Standing {
  /// What tells a board from others.
  fileprivate var board: [String] { [group, weekStart, type] }
}

extension String {
  fileprivate func leftPadded(to width: Int) -> String {
    String(repeating: " ", count: max(0, width - count)) + self
  }
}
