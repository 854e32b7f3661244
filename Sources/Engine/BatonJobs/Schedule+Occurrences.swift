extension Schedule {
  /// What PostgreSQL can hold as an instant, roughly: beyond that there are no occurrences.
  private static let years: ClosedRange<Int64> = -200_000_000_000...9_000_000_000_000

  /// The first occurrence after an instant; nil where there is none any more.
  package func next(after instant: Int64) -> Int64? {
    guard Self.years.contains(instant) else { return nil }
    let next: Int64? =
      switch rule {
      // The product cannot overflow: an interval that long has no next occurrence.
      case .every(let seconds) where seconds > Self.years.upperBound: nil
      case .every(let seconds): (floorDivide(instant, seconds) + 1) * seconds
      case .cron(let cron, let zone) where cron.firesInEveryHour:
        Self.nextInRealTime(cron, zone, after: instant)
      case .cron(let cron, let zone): Self.nextOnWallClock(cron, zone, after: instant)
      }
    return next.flatMap { Self.years.contains($0) ? $0 : nil }
  }

  /// The occurrences after one instant up to another, oldest first, so many at most.
  package func occurrences(after start: Int64, through end: Int64, limit: Int) -> [Int64] {
    var found: [Int64] = []
    var instant = start
    while found.count < limit, let next = next(after: instant), next <= end {
      found.append(next)
      instant = next
    }
    return found
  }

  /// The newest occurrence after one instant up to another; nil where there is none.
  ///
  /// It looks backwards in windows that double, so that it costs as much for a day as for a year.
  package func newest(after start: Int64, through end: Int64) -> Int64? {
    if case .every(let seconds) = rule {
      let newest = floorDivide(end, seconds) * seconds
      return newest > start ? newest : nil
    }
    var window: Int64 = 3600
    while true {
      let from = max(start, end - window)
      if let newest = occurrences(after: from, through: end, limit: .max).last { return newest }
      guard from > start else { return nil }
      window *= 2
    }
  }

  /// Times on the wall clock become instants in the same order, so the first whose instant lies
  /// behind is the next; those that come again after the clocks were set back lie before it.
  private static func nextOnWallClock(_ cron: Cron, _ zone: Zone, after instant: Int64) -> Int64? {
    var minute = floorDivide(instant + zone.offset(at: instant), 60) + 1
    while let next = cron.firstMinute(from: minute) {
      let candidate = zone.firstInstant(showing: next * 60)
      if candidate > instant { return candidate }
      minute = next + 1
    }
    return nil
  }

  /// Walks from one change of the offset to the next: between two of them clocks run evenly.
  private static func nextInRealTime(_ cron: Cron, _ zone: Zone, after instant: Int64) -> Int64? {
    var start = instant + 1
    while true {
      let offset = zone.offset(at: start)
      let minute = floorDivide(start + offset + 59, 60)
      guard let found = cron.firstMinute(from: minute) else { return nil }
      let candidate = found * 60 - offset
      // Far away: only what lies around that day matters, not every change until then.
      let near = candidate - 4 * 86_400
      if near > start {
        start = near
        continue
      }
      guard let change = zone.firstChange(after: start, through: candidate) else {
        return candidate
      }
      start = change
    }
  }
}
