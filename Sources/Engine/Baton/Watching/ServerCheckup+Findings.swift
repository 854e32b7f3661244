import BatonJobs
import JobRunner

extension ServerCheckup {
  /// The names of the server settings that are checked.
  static let names = [
    "autovacuum", "fsync", "full_page_writes", "synchronous_commit", "max_connections",
    "idle_in_transaction_session_timeout", "idle_session_timeout", "statement_timeout",
    "transaction_timeout", "lock_timeout", "max_prepared_transactions", "max_wal_size",
    "checkpoint_timeout", "shared_buffers", "track_counts", "autovacuum_naptime",
    "old_snapshot_threshold", "default_transaction_read_only", "synchronous_standby_names",
    "max_slot_wal_keep_size",
  ]

  /// Returns one finding, with a fix, for each server setting or table that harms a queue.
  ///
  /// - Parameters:
  ///   - longest: the maximum duration of a job's statement.
  ///   - observation: the observation that contains the number of open connections.
  func findings(longest: Duration, beside observation: Observation) -> [Finding] {
    durability + replication + vacuum + timeouts(longest) + capacity(observation) + bloatFindings
      + holding
  }

  private func isOff(_ name: String) -> Bool { settings[name]?.value == "off" }

  /// Returns a setting in milliseconds, or nil if the setting is off or unknown to this server
  /// version.
  private func milliseconds(_ name: String) -> Int64? {
    guard let setting = settings[name], let value = Int64(setting.value), value > 0 else {
      return nil
    }
    let factor: Int64 = setting.unit == "s" ? 1_000 : setting.unit == "min" ? 60_000 : 1
    let (product, isTooLarge) = value.multipliedReportingOverflow(by: factor)
    return isTooLarge ? .max : product
  }

  private func system(_ name: String, _ value: String, thenRestart: Bool = false) -> String {
    "alter system set \(name) = '\(value)'; "
      + (thenRestart ? "restart the server." : "select pg_reload_conf().")
  }

  private func place(_ name: String) -> String { "setting \(name)" }

  private var durability: [Finding] {
    var findings: [Finding] = []
    for name in ["fsync", "full_page_writes"] where isOff(name) {
      findings.append(
        Finding(
          .critical, "\(name) is off: a crash of the machine can destroy the whole database.",
          at: place(name), next: system(name, "on")))
    }
    if isOff("synchronous_commit") {
      findings.append(
        Finding(
          .warning,
          "synchronous_commit is off: a crash can lose the last confirmed writes.",
          at: place("synchronous_commit"), next: system("synchronous_commit", "on")))
    }
    if settings["default_transaction_read_only"]?.value == "on" {
      findings.append(
        Finding(
          .critical, "Transactions are read-only: no worker can execute runs here.",
          at: place("default_transaction_read_only"),
          next: "Point DATABASE_URL at the primary server, or "
            + system("default_transaction_read_only", "off")))
    }
    return findings
  }

  private var vacuum: [Finding] {
    var findings: [Finding] = []
    for name in ["autovacuum", "track_counts"] where isOff(name) {
      findings.append(
        Finding(
          .critical, "\(name) is off: the queue's tables grow, and claims become slower.",
          at: place(name), next: system(name, "on")))
    }
    for table in bloat where table.isExempt {
      findings.append(
        Finding(
          .critical, "Autovacuum is off for \(table.name).", at: "table \(table.name)",
          next: "alter table \(table.path) reset (autovacuum_enabled)."))
    }
    if let threshold = settings["old_snapshot_threshold"]?.value, threshold != "-1" {
      findings.append(
        Finding(
          .warning, "Old snapshots are refused after \(threshold) min: long reads fail.",
          at: place("old_snapshot_threshold"),
          next: system("old_snapshot_threshold", "-1", thenRestart: true)))
    }
    return findings
  }

  private func timeouts(_ longest: Duration) -> [Finding] {
    var findings: [Finding] = []
    let needed = Int64(longest / .milliseconds(1))
    // A job can override the timeouts for statements and for idle transactions. A transaction
    // cannot change its own `transaction_timeout`.
    if let limit = milliseconds("transaction_timeout"), limit < needed {
      findings.append(
        Finding(
          .critical, "Transactions end after \(limit) ms, and a job may take \(needed) ms.",
          at: place("transaction_timeout"),
          next: "alter role of the workers set transaction_timeout = 0."))
    }
    if let limit = milliseconds("statement_timeout"), limit < 5_000 {
      findings.append(
        Finding(
          .warning, "Statements end after \(limit) ms: migrations and reports can take longer.",
          at: place("statement_timeout"),
          next: "alter role of the workers set statement_timeout = 0."))
    }
    if let limit = milliseconds("idle_session_timeout"), limit < 60_000 {
      findings.append(
        Finding(
          .warning,
          "Sessions that are idle for \(limit) ms are ended: workers connect again and again.",
          at: place("idle_session_timeout"),
          next: "alter role of the workers set idle_session_timeout = 0."))
    }
    if milliseconds("idle_in_transaction_session_timeout") == nil {
      findings.append(
        Finding(
          .note,
          "A forgotten transaction stays open forever, and prevents vacuum from removing dead rows.",
          at: place("idle_in_transaction_session_timeout"),
          next: system("idle_in_transaction_session_timeout", "10min")))
    }
    return findings
  }

  private func capacity(_ observation: Observation) -> [Finding] {
    var findings: [Finding] = []
    let (used, allowed) = (observation.connections.used, observation.connections.allowed)
    let workers = observation.workers.count { !$0.isLost }
    if allowed - used < 3 + workers {
      findings.append(
        Finding(
          .warning,
          "\(counted(allowed - used, "connection")) \(allowed - used == 1 ? "is" : "are") free, "
            + "with \(counted(workers, "registered worker")).",
          at: place("max_connections"),
          next: "Reduce --concurrency, use a pooler, or "
            + system("max_connections", "\(allowed * 2)", thenRestart: true)))
    }
    if let prepared = settings["max_prepared_transactions"]?.value, prepared != "0" {
      findings.append(
        Finding(
          .note, "Transactions can be prepared: no write wakes a worker; each polls every 250 ms.",
          at: place("max_prepared_transactions"),
          next: system("max_prepared_transactions", "0", thenRestart: true)
            + " Unless prepared transactions are used on purpose."))
    }
    if let size = settings["max_wal_size"].flatMap({ Int64($0.value) }), size < 1_024 {
      findings.append(
        Finding(
          .note,
          "Only \(size) MB of WAL between two checkpoints: many writes cause many checkpoints.",
          at: place("max_wal_size"), next: system("max_wal_size", "2GB")))
    }
    return findings
  }

  private var bloatFindings: [Finding] {
    bloat.filter { !$0.isExempt }.map { table in
      let when = table.vacuumedDays.map { "\(counted($0, "day")) ago" } ?? "never"
      return Finding(
        .warning,
        "\(table.name) has \(counted(table.deadRows, "dead row")) "
          + "and \(counted(table.rows, "live row")), "
          + "\(table.bytes / 1_048_576) MB; vacuumed \(when).",
        at: "table \(table.name)",
        next: "End the open transactions listed below, then run: vacuum \(table.path).")
    }
  }

  private var holding: [Finding] {
    holders.map { holder in
      let age = holder.seconds.map { " for \(Double($0).duration)" } ?? ""
      switch holder.kind {
      case "prepared":
        return Finding(
          .warning, "The prepared transaction \(holder.name) has been open\(age).",
          at: "pg_prepared_xacts, of \(holder.user)",
          next: "rollback prepared '\(holder.name)', or commit it.")
      case "replication":
        return Finding(
          .warning, "The replication slot \(holder.name) has no consumer and keeps dead rows.",
          at: "pg_replication_slots",
          next: "Start its reader, or: select pg_drop_replication_slot('\(holder.name)').")
      default:
        return Finding(
          .warning, "A transaction has been open\(age), \(holder.state).",
          at: "server process \(holder.name) of \(holder.user), \(holder.applicationName)",
          next: "select pg_terminate_backend(\(holder.name)), if it is not needed.")
      }
    }
  }
}
