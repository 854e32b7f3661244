import ArgumentParser
import Baton
import BatonPostgres
import ChallengesPostgres

/// The `gymrats notifications` command.
struct NotificationsCommand: AsyncParsableCommand, CheckedArguments {
  static let configuration = CommandConfiguration(
    commandName: "notifications",
    abstract: "List the notifications that members can see, newest first.")

  @Argument(help: "A member's user id or name; default: all members.")
  var member: String?

  @Flag(help: "List only unread notifications.")
  var unread = false

  @Option(help: "The maximum number of notifications.")
  var limit = 100

  @Flag(help: "Print one JSON object per line.")
  var json = false

  func checkArguments() throws {
    guard (1...1_000_000).contains(limit) else {
      throw ValidationError("--limit takes a number from 1 to 1000000.")
    }
  }

  func run() async throws {
    let database = try await Database.orExit()
    try await database.reportingErrors() {
      let connection = try await database.connect()
      let list = NotificationList(connection, schema: database.schema)
      if let member, try await !list.isKnown(member) {
        throw Complaint(
          .noInput, what: "There is no member '\(member)'.", place: "\(database)",
          next: "Give a user's id or name; `gymrats board --all` shows members with a standing.")
      }
      let notifications = try await list.notifications(
        for: member, isUnreadOnly: unread, limit: limit)
      await connection.close()
      guard !json else {
        for notification in notifications { Console.write(notification.json) }
        return
      }
      if notifications.isEmpty { Console.write("no notifications") }
      for notification in notifications {
        let mark = notification.isRead ? " " : "•"
        Console.write("\(notification.at)  \(mark) \(notification.member)  \(notification.message)")
      }
    }
  }
}
