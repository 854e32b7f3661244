import ArgumentParser
import BatonJobs
import JobRunner

/// The `baton limits` command, which sets and lists limits at run time.
struct LimitsCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "limits", abstract: "Set, reset and list concurrency limits at run time.",
    discussion: """
      A set limit overrides the declared limit until it is reset, even after restarts and new releases. \
      `\(Program.name) jobs show` prints all limits of a job.
      """,
    subcommands: [List.self, Set.self, Reset.self], defaultSubcommand: List.self)

  /// The `baton limits list` command.
  struct List: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "List the limits and the pauses of groups that operators have set.")

    @Argument(help: "List only limits of this job.")
    var job: String?

    @Flag(help: "Print one JSON object per line.")
    var json = false

    func run() async throws {
      try await withQueue { queue in
        try await queue.requireJob(job, place: "JOB")
        try Console.write(
          try await queue.setLimits(of: job), json: json,
          none: "no limits are set; the declared limits apply",
          heading: ["JOB", "GROUP", "CONCURRENCY", "PER GROUP", "PAUSED SINCE"], cells: \.cells)
      }
    }
  }

  /// The `baton limits set` command.
  struct Set: AsyncParsableCommand, CheckedArguments {
    static let configuration = CommandConfiguration(
      abstract: "Set the number of concurrent runs of a job, of each group, or of one group.",
      discussion: """
        Runs that are running continue, so a lower limit takes effect as soon as enough runs have ended. \
        `\(Program.name) jobs pause JOB --group GROUP` pauses a group.
        """)

    @Argument(help: "The job's name.")
    var job: String

    @Option(help: "The number of concurrent runs of the job, or of the group.")
    var concurrency: Int?

    @Option(help: "The number of concurrent runs of each group.")
    var groupConcurrency: Int?

    @Option(help: "The group to which --concurrency applies.")
    var group: String?

    func checkArguments() throws {
      guard concurrency != nil || groupConcurrency != nil else {
        throw ValidationError("Give --concurrency or --group-concurrency.")
      }
      guard group == nil || groupConcurrency == nil else {
        throw ValidationError("--group goes with --concurrency.")
      }
      let numbers = [concurrency, groupConcurrency].compactMap { $0 }
      guard numbers.allSatisfy({ (1...Int(Int32.max)).contains($0) }) else {
        throw ValidationError("A limit is a number from 1 up; `jobs pause` lets no run start.")
      }
      try LimitsCommand.check(group)
    }

    func run() async throws {
      try await LimitsCommand.change(
        job, group, concurrency.map { .set($0) } ?? .keep,
        groupConcurrency.map { .set($0) } ?? .keep)
      let one = concurrency.map {
        "\(counted($0, "run")) at once\(group.map { " of \($0)" } ?? "")"
      }
      let each = groupConcurrency.map { "\(counted($0, "run")) at once of each group" }
      Console.write("\(job): \([one, each].compactMap { $0 }.joined(separator: ", "))")
    }
  }

  /// The `baton limits reset` command.
  struct Reset: AsyncParsableCommand, CheckedArguments {
    static let configuration = CommandConfiguration(
      abstract: "Let the declared limits of a job apply again, or the job's limit for one group.")

    @Argument(help: "The job's name.")
    var job: String

    @Option(help: "Reset only the limit of this group.")
    var group: String?

    func checkArguments() throws { try LimitsCommand.check(group) }

    func run() async throws {
      try await LimitsCommand.change(job, group, .reset, .reset)
      Console.write(
        group.map { "\(job): the limit of each group applies to \($0) again" }
          ?? "\(job): the declared limits apply again")
    }
  }

  /// Checks the length of a group's name, which is part of a primary key.
  static func check(_ group: String?) throws {
    guard (group ?? "").utf8.count <= 256 else {
      throw ValidationError("A group has at most 256 bytes.")
    }
  }

  private static func change(
    _ job: String, _ group: String?, _ concurrency: Queue.LimitChange,
    _ perGroup: Queue.LimitChange
  ) async throws {
    try await withQueue { queue in
      let isThere = try await LimitsCommand.namingGroups {
        if let group {
          try await queue.setLimit(of: group, in: job, concurrency)
        } else {
          try await queue.setLimits(of: job, concurrency, perGroup: perGroup)
        }
      }
      guard isThere else { throw Complaint.missingJob(job) }
    }
  }

  /// Runs `body`, and converts a ``NoGroups`` error to an error message for the user.
  static func namingGroups<R>(_ body: () async throws -> R) async throws -> R {
    do {
      return try await body()
    } catch let error as NoGroups {
      throw Complaint(
        .usage, what: "\(error.job) has no limit per group, so its runs have no groups.",
        place: "the group", next: "Nothing was changed. Declare a limit with `per:` first.")
    }
  }
}

extension SetLimits {
  fileprivate var cells: [String?] {
    [
      job, group, Self.text(concurrency, declaredConcurrency),
      group == nil ? Self.text(groupConcurrency, declaredGroupConcurrency) : nil, pausedSince,
    ]
  }

  /// The limit that was set at run time, followed by the limit that the job declares.
  private static func text(_ set: Int?, _ declared: Int?) -> String? {
    set.map { "\($0) instead of \(declared.map(String.init) ?? "unlimited")" }
  }
}
