import ArgumentParser
import BatonJobs
import BatonPostgres
import Foundation
import JobRunner

/// The command `baton jobs`, which lists, shows, pauses, resumes and retires jobs.
struct JobsCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "jobs", abstract: "List, show, pause, resume and retire jobs.",
    subcommands: [JobList.self, JobShow.self, Pause.self, Resume.self, Retire.self],
    defaultSubcommand: JobList.self)

  /// The command `baton jobs pause`.
  struct Pause: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Stop workers from claiming a job's runs; events are still dispatched.")

    @Argument(help: "The job's name.")
    var job: String

    func run() async throws { try await JobsCommand.setPaused(true, job) }
  }

  /// The command `baton jobs resume`.
  struct Resume: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Let workers claim the runs of a paused job again.")

    @Argument(help: "The job's name.")
    var job: String

    func run() async throws { try await JobsCommand.setPaused(false, job) }
  }

  fileprivate static func setPaused(_ isPaused: Bool, _ job: String) async throws {
    try await withQueue { queue in
      guard try await queue.setPaused(isPaused, job: job) else {
        throw Complaint.missingJob(job)
      }
      Console.write("\(job) is \(isPaused ? "paused" : "resumed")")
    }
  }
}
