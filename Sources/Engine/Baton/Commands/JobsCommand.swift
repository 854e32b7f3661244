import ArgumentParser
import BatonJobs
import BatonPostgres
import Foundation
import JobRunner

/// The `baton jobs` command, which lists, shows, pauses, resumes and retires jobs.
struct JobsCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "jobs", abstract: "List, show, pause, resume, retire and grant jobs.",
    subcommands: [
      JobList.self, JobShow.self, Pause.self, Resume.self, Retire.self, Grant.self, Revoke.self,
      Grants.self,
    ],
    defaultSubcommand: JobList.self)

  /// The `baton jobs pause` command.
  struct Pause: AsyncParsableCommand, CheckedArguments {
    static let configuration = CommandConfiguration(
      abstract: "Stop workers from claiming a job's runs; events are still dispatched.")

    @Argument(help: "The job's name.")
    var job: String

    @Option(help: "Pause only this group of a job with a limit per group.")
    var group: String?

    func checkArguments() throws { try LimitsCommand.check(group) }

    func run() async throws { try await JobsCommand.setPaused(true, job, group) }
  }

  /// The `baton jobs resume` command.
  struct Resume: AsyncParsableCommand, CheckedArguments {
    static let configuration = CommandConfiguration(
      abstract: "Let workers claim the runs of a paused job again.")

    @Argument(help: "The job's name.")
    var job: String

    @Option(help: "Resume only this group.")
    var group: String?

    func checkArguments() throws { try LimitsCommand.check(group) }

    func run() async throws { try await JobsCommand.setPaused(false, job, group) }
  }

  fileprivate static func setPaused(_ isPaused: Bool, _ job: String, _ group: String?) async throws
  {
    try await withQueue { queue in
      let isThere = try await LimitsCommand.namingGroups {
        if let group {
          try await queue.setPaused(isPaused, group: group, job: job)
        } else {
          try await queue.setPaused(isPaused, job: job)
        }
      }
      guard isThere else { throw Complaint.missingJob(job) }
      Console.write(
        "\(job)\(group.map { " of \($0)" } ?? "") is \(isPaused ? "paused" : "resumed")")
    }
  }
}
