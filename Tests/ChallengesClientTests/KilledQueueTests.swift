import Challenges
import Foundation
import Testing

/// A process is killed while it adds to a queue: what it was told is there, and nothing else.
@Suite struct KilledQueueTests {
  /// Starts the program that adds without end; its lines go to a file.
  private func start(in folder: Folder) throws -> (process: pid_t, lines: String) {
    let program = try #require(Bundle.main.executableURL?.deletingLastPathComponent())
      .appending(path: "QueueWriter").path(percentEncoded: false)
    let lines = folder.url.appending(path: "lines").path(percentEncoded: false)
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, 1, lines, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
    // Other tests look whether anybody has their pipes.
    let open = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []
    for descriptor in 3...(open.compactMap { Int32($0) }.max() ?? 3) + 64 {
      posix_spawn_file_actions_addclose(&actions, descriptor)
    }
    let arguments = [program, folder.url.path(percentEncoded: false)]
    var pointers: [UnsafeMutablePointer<CChar>?] = arguments.map { strdup($0) }
    pointers.append(nil)
    defer { for pointer in pointers { free(pointer) } }
    let nothing: [UnsafeMutablePointer<CChar>?] = [nil]
    var process: pid_t = 0
    try #require(posix_spawn(&process, program, &actions, nil, pointers, nothing) == 0)
    return (process, lines)
  }

  @Test func `what a killed process was told is there, in its order, and one more at most`()
    async throws
  {
    var dice = Dice()
    let folder = try Folder()
    var known = 0
    for _ in 0..<20 {
      let (process, lines) = try start(in: folder)
      let told = {
        (try? String(contentsOfFile: lines, encoding: .utf8))?.split(separator: "\n") ?? []
      }
      try await eventually { !told().isEmpty }
      try await Task.sleep(for: .microseconds(Int.random(in: 0...20_000, using: &dice)))
      kill(process, SIGKILL)
      var status: Int32 = 0
      #expect(waitpid(process, &status, 0) == process && status & 0x7f == SIGKILL, "\(dice)")
      let queue = try PendingSyncQueue(folder: folder.url, userId: "ana", capacity: 100_000)
      #expect(queue.unreadable == nil, "\(dice)")
      let ids = await queue.pending.map(\.workout.id)
      await queue.close()
      #expect(ids == (0..<ids.count).map { "w\($0)" }, "\(dice)")
      #expect(
        ids.count - known - told().count == 0 || ids.count - known - told().count == 1, "\(dice)")
      known = ids.count
    }
    #expect(known > 20)
    #expect(try folder.names.count <= 4)
  }
}
