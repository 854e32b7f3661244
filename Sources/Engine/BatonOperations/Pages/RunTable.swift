import JobRunner

/// The tables of runs.
enum RunTable {
  /// Returns a table of runs that have not ended, or of dead runs.
  static func runs(_ caption: String, _ runs: [RunRow]) -> PageTable {
    var table = PageTable(
      caption, .number("Run"), .text("Job"), .text("Key"), .text("State"), .number("Attempts"),
      .text("Since or due"), .text("First event"), .text("Worker"), .text("Error"))
    for run in runs {
      table.add(
        to(run), link(run.job, to: Link("jobs", run.job)), key(run.key),
        badge(run.state.rawValue, run.state == .dead ? .critical : .plain),
        Markup("\(run.attempt)"), instant(run.at), instant(run.firstEventAt),
        Markup(run.worker ?? "–"), error(run.error))
    }
    return table
  }

  /// Returns a table of runs that have ended.
  static func ended(_ caption: String, _ runs: [RunRow]) -> PageTable {
    var table = PageTable(
      caption, .number("Run"), .text("Job"), .text("Key"), .text("Outcome"), .number("Attempts"),
      .text("Ended"), .number("Duration"), .text("Worker"), .text("Error"))
    for run in runs {
      table.add(
        to(run), link(run.job, to: Link("jobs", run.job)), key(run.key),
        badge(run.outcome ?? "–", run.outcome == "done" ? .good : .warning),
        Markup("\(run.attempt)"), instant(run.at),
        Markup(run.durationSeconds?.shortDuration ?? "–"), Markup(run.worker ?? "–"),
        error(run.error))
    }
    return table
  }

  static func key(_ key: String) -> Markup {
    key.isEmpty ? tag("span", ["class": "soft"], "none") : tag("code", [:], key)
  }

  /// Returns whether a key is redacted, so that it does not identify a run.
  static func isRedacted(_ key: String) -> Bool {
    key.contains("[address]") || key.contains("[password]")
  }

  /// Returns a link to a run.
  ///
  /// A link to a waiting run contains the job and the key, because a search by id is slower. If
  /// the key is redacted, the link contains only the id.
  private static func to(_ run: RunRow) -> Markup {
    let isFound = [.dead, .ended].contains(run.state) || isRedacted(run.key)
    let (job, key) = isFound ? (nil, nil) : (run.job, run.key)
    return link("\(run.id)", to: Link("runs", "\(run.id)", asking: ["job": job, "key": key]))
  }

  /// Returns the first line of an error.
  ///
  /// The run's own page shows the complete error.
  static func error(_ error: String?) -> Markup {
    let line = error?.split(separator: "\n").first ?? "–"
    return Markup(line.count > 120 ? line.prefix(120) + "…" : line)
  }
}
