#if HTTP
  import Baton
  import ChallengesSQL
  import Foundation
  import BatonOperations
  import BatonPostgres

  /// Detects changes to the boards that open dashboard pages show.
  ///
  /// One statement reads the boards of all open pages. The feed's connection is open only while
  /// pages are open.
  struct BoardFeed: DashboardFeed {
    let name = "boards"

    /// The time between two polls.
    private static let pause = Duration.milliseconds(500)
    /// The pause after a poll that failed, or that had no groups to read.
    private static let longPause = Duration.seconds(1)

    func events(
      of subject: HTTPSubject, about groups: @escaping @Sendable () -> [String]
    ) -> AsyncStream<String> {
      AsyncStream { continuation in
        let looking = Task {
          var look = Look(subject: subject)
          while !Task.isCancelled {
            let changed = await look.changed(among: groups())
            if let changed, !changed.isEmpty, let list = try? JSONEncoder().encode(changed) {
              continuation.yield(String(decoding: list, as: UTF8.self))
            }
            try? await Task.sleep(for: changed == nil ? Self.longPause : Self.pause)
          }
          await look.end()
        }
        continuation.onTermination = { _ in looking.cancel() }
      }
    }

    /// The state after the last poll, and the connection for the next poll.
    private struct Look {
      let subject: HTTPSubject
      private var connection: Connection?
      /// The marks that the last poll read, keyed by the bytes of the group's id.
      ///
      /// A group's mark changes if one of its boards changes.
      private var marks: [[UInt8]: String] = [:]

      init(subject: HTTPSubject) { self.subject = subject }

      /// Returns the ids of the groups whose boards have changed since the last poll, sorted, or
      /// nil if the poll failed.
      ///
      /// Groups that were added since the last poll are also returned, because their pages may show
      /// an older state.
      mutating func changed(among groups: [String]) async -> [String]? {
        let observed = Set(groups.map { Array($0.utf8) })
        marks = marks.filter { observed.contains($0.key) }
        guard !groups.isEmpty else {
          await end()
          return nil
        }
        do {
          let now = try await read(groups)
          let changed = now.filter { marks[Array($0.group.utf8)] != $0.mark }.map(\.group)
          marks = Dictionary(now.map { (Array($0.group.utf8), $0.mark) }) { first, _ in first }
          return changed.sorted()
        } catch {
          await end()
          return nil
        }
      }

      private mutating func read(
        _ groups: [String]
      ) async throws -> [(group: String, mark: String)] {
        let connection: Connection
        if let open = self.connection {
          connection = open
        } else {
          connection = try await Connection.open(subject.configuration)
          self.connection = connection
        }
        let list = Call.rows(SQL.Dashboard.listMarks, groups.sorted()) {
          (row) throws(PostgresError) in
          let (group, mark) = try row.decode(String.self, String.self)
          return (group: group, mark: mark)
        }
        return try await connection.atomically(in: subject.schema, list)
      }

      mutating func end() async {
        await connection?.close()
        connection = nil
      }
    }
  }
#endif
