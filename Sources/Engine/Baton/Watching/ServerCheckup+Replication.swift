import JobRunner

extension ServerCheckup {
  /// The findings about standbys, slots and settings that can lose confirmed writes, block writes
  /// or fill the disk.
  var replication: [Finding] { synchronous + standbys.compactMap(lagging) + slots.compactMap(idle) }

  /// A description of the server's replication, with one line per standby or slot.
  ///
  /// The list is empty on a server without replication.
  var replicationLines: [String] {
    guard !standbys.isEmpty || !slots.isEmpty || !synchronousNames.isEmpty else { return [] }
    let names = synchronousNames.isEmpty ? "not set" : "'\(synchronousNames)'"
    let commit = settings["synchronous_commit"]?.value ?? "not seen"
    return ["replication: synchronous_commit \(commit), synchronous_standby_names \(names)"]
      + standbys.map { standby in
        let lag = standby.bytesBehind.map { ", lags by \(megabytes($0))" } ?? ""
        return "  standby \(standby.name): "
          + "\(standby.synchronous ?? "not seen"), \(standby.state ?? "not seen")\(lag)"
      }
      + slots.map { slot in
        let kept = slot.bytesKept.map { ", keeps \(megabytes($0)) of WAL" } ?? ""
        let state = slot.isLost ? "lost" : slot.isActive ? "active" : "not active"
        return "  slot \(slot.name): \(state)\(kept)"
      }
  }

  private var synchronousNames: String { settings["synchronous_standby_names"]?.value ?? "" }

  private func megabytes(_ bytes: Int64) -> String { "\(bytes / 1_048_576) MB" }

  private var synchronous: [Finding] {
    if standbys.contains(where: { $0.synchronous == nil }) {
      return [
        Finding(
          .note, "Not seen: whether the standbys are synchronous, and how far they lag.",
          at: "pg_stat_replication",
          next: Finding.hiddenStatisticsStep)
      ]
    }
    guard !synchronousNames.isEmpty else {
      guard !standbys.isEmpty else { return [] }
      return [
        Finding(
          .note, "No commit waits for a standby: a failover can lose the last confirmed writes.",
          at: "setting synchronous_standby_names",
          next: "Set synchronous_mode in Patroni, or synchronous_standby_names, "
            + "unless your program can lose writes.")
      ]
    }
    return unconfirmed
  }

  /// The findings about commits that do not wait for a standby, and about commits that wait for a
  /// missing standby.
  private var unconfirmed: [Finding] {
    let level = settings["synchronous_commit"]?.value ?? ""
    if level == "local" {
      return [
        Finding(
          .warning,
          "synchronous_commit is local: a failover can lose the last confirmed writes.",
          at: "setting synchronous_commit",
          next: "alter system set synchronous_commit = 'on'; select pg_reload_conf().")
      ]
    }
    guard level != "off", !standbys.contains(where: \.isSynchronous) else { return [] }
    return [
      Finding(
        .critical, "No synchronous standby is connected: every write waits until one is.",
        at: "setting synchronous_standby_names '\(synchronousNames)'",
        next: "Start the standby, or: alter system set synchronous_standby_names = ''; "
          + "select pg_reload_conf().")
    ]
  }

  /// A standby or a slot is reported if more than this many bytes of the write-ahead log are not
  /// yet replicated.
  private static let far: Int64 = 1 << 30

  private func lagging(_ standby: Standby) -> Finding? {
    guard let bytes = standby.bytesBehind, bytes >= Self.far else { return nil }
    return Finding(
      .warning,
      "The standby \(standby.name) lags by \(megabytes(bytes)): a failover to it takes longer.",
      at: "pg_stat_replication", next: "Check the disk and the network of the standby.")
  }

  /// The finding for a replication slot without a consumer.
  ///
  /// For a slot without a consumer, the server retains the write-ahead log until the disk is full.
  private func idle(_ slot: ReplicationSlot) -> Finding? {
    let drop = "select pg_drop_replication_slot('\(slot.name)')."
    if slot.isLost {
      return Finding(
        .warning, "The replication slot \(slot.name) has lost WAL that its consumer needs.",
        at: "pg_replication_slots", next: "Make the consumer again from a copy, and: \(drop)")
    }
    guard !slot.isActive, let bytes = slot.bytesKept else { return nil }
    return Finding(
      bytes >= Self.far ? .warning : .note,
      "The replication slot \(slot.name) has no consumer and keeps \(megabytes(bytes)) of WAL.",
      at: "pg_replication_slots",
      next: "Start its consumer, or: \(drop)"
        + (settings["max_slot_wal_keep_size"]?.value == "-1"
          ? " The setting max_slot_wal_keep_size limits what slots keep." : ""))
  }
}
