import ArgumentParser
import JobRunner

extension JobsCommand {
  /// The `baton jobs grant` command.
  struct Grant: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Let a database role read the states of a job's runs with run_state.",
      discussion: """
        The role also needs EXECUTE on the functions. A second grant to the same role replaces the first grant.
        """)

    @Argument(help: "The job's name.")
    var job: String

    @Argument(help: "The name of the role.")
    var role: String

    @Flag(help: "Also let the role cancel the job's runs with cancel_run.")
    var cancel = false

    func run() async throws {
      try await withQueue { queue in
        do {
          guard try await queue.grant(job, to: role, mayCancel: cancel) != nil else {
            throw Complaint.missingJob(job)
          }
        } catch let error as MissingRole {
          throw Complaint(
            .usage, what: "There is no role '\(error.role)'.", place: "ROLE",
            next: "Nothing was granted. Create the role first.")
        }
        Console.write("\(role) may read \(cancel ? "and cancel " : "")runs of \(job)")
      }
    }
  }

  /// The `baton jobs revoke` command.
  struct Revoke: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Undo a grant of `jobs grant`.")

    @Argument(help: "The job's name.")
    var job: String

    @Argument(help: "The name of the role.")
    var role: String

    func run() async throws {
      try await withQueue { queue in
        guard try await queue.revoke(job, from: role) else {
          throw Complaint(
            .usage, what: "\(job) is not granted to '\(role)'.", place: "ROLE",
            next: "`\(Program.name) jobs grants` lists the grants.")
        }
        Console.write("\(role) may no longer read runs of \(job)")
      }
    }
  }

  /// The `baton jobs grants` command.
  struct Grants: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "List the roles that may read or cancel runs.")

    @Argument(help: "List only grants of this job.")
    var job: String?

    @Flag(help: "Print one JSON object per line.")
    var json = false

    func run() async throws {
      try await withQueue { queue in
        try await queue.requireJob(job, place: "JOB")
        try Console.write(
          try await queue.grants(of: job), json: json, none: "no grants",
          heading: ["JOB", "ROLE", "RIGHTS"]
        ) { [$0.job, $0.role, $0.mayCancel ? "read, cancel" : "read"] }
      }
    }
  }
}
