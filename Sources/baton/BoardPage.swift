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
    let width = standings.map(\.member.count).max() ?? 0
    for standing in standings {
      if last?.group != standing.group || last?.weekStart != standing.weekStart
        || last?.type != standing.type
      {
        if last != nil { lines.append("") }
        lines.append("\(standing.group) · week of \(standing.weekStart) · \(standing.type)")
      }
      lines.append(line(standing, width: width))
      last = standing
    }
    return lines.joined(separator: "\n") + "\n"
  }

  private func line(_ standing: Standing, width: Int) -> String {
    let rank = String(standing.rank).leftPadded(to: 4)
    let member = standing.member + String(repeating: " ", count: width - standing.member.count)
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

extension String {
  fileprivate func leftPadded(to width: Int) -> String {
    String(repeating: " ", count: max(0, width - count)) + self
  }
}
