import Challenges
import ChallengesApp
import Foundation
import TestDice
import Testing

/// Tests a process that adds to a queue and is killed.
///
/// The queue must contain exactly the confirmed additions.
@Suite struct KilledQueueTests {
  private let folder: Folder
  private let beside: Folder
  /// The file to which the process writes its lines.
  private var lines: URL { beside.url.appending(path: "lines") }
  private static let strace = "/usr/bin/strace"
  private static var hasStrace: Bool { FileManager.default.isExecutableFile(atPath: strace) }

  init() throws {
    folder = try Folder()
    beside = try Folder()
  }

  private func path(_ url: URL) -> String { url.path(percentEncoded: false) }

  /// The path of the program that adds workouts and prints a line for each of them.
  private var writer: String {
    get throws {
      path(
        try #require(Bundle.main.executableURL?.deletingLastPathComponent())
          .appending(path: "QueueWriter"))
    }
  }

  /// The lines that the process has printed.
  private var told: [String] {
    let text = try? String(contentsOf: lines, encoding: .utf8)
    return (text ?? "").split(separator: "\n").map(String.init)
  }

  private func start(_ arguments: String...) throws -> pid_t {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, 1, path(lines), O_WRONLY | O_CREAT | O_TRUNC, 0o600)
    // Other tests check whether any process holds their pipes.
    let open = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []
    for descriptor in 3...(open.compactMap { Int32($0) }.max() ?? 3) + 64 {
      posix_spawn_file_actions_addclose(&actions, descriptor)
    }
    let words = arguments.map { strdup($0) } + [nil]
    // The new process gets the environment of this process.
    let variables = ProcessInfo.processInfo.environment.map { strdup("\($0.key)=\($0.value)") }
    defer { for pointer in words + variables { free(pointer) } }
    var process: pid_t = 0
    try #require(
      posix_spawn(&process, arguments[0], &actions, nil, words, variables + [nil]) == 0)
    return process
  }

  private func end(of process: pid_t) -> Int32 {
    var status: Int32 = 0
    while waitpid(process, &status, 0) < 0, errno == EINTR {}
    return status
  }

  @Test func `what a killed process was told is there, in its order, and one more at most`()
    async throws
  {
    var dice = Dice()
    var known = 0
    for _ in 0..<20 {
      let process = try start(try writer, path(folder.url))
      try await eventually { !told.isEmpty }
      try await Task.sleep(for: .microseconds(Int.random(in: 0...20_000, using: &dice)))
      kill(process, SIGKILL)
      #expect(end(of: process) & 0x7f == SIGKILL, "\(dice)")
      let queue = try PendingSyncQueue(folder: folder.url, userId: "ana", capacity: 100_000)
      #expect(queue.unreadable == nil, "\(dice)")
      let ids = await queue.pending.map(\.workout.id)
      await queue.close()
      #expect(ids == (0..<ids.count).map { "w\($0)" }, "\(dice)")
      #expect(0...1 ~= ids.count - known - told.count, "\(dice)")
      known = ids.count
    }
    #expect(known > 20)
    #expect(try folder.names.count <= 3)
  }

  @Test(.enabled(if: hasStrace), arguments: ["openat", "write", "fsync", "rename", "close"])
  func `a kill at any call leaves what was told`(call: String) async throws {
    var kills = 0
    // The program strace counts the calls of each thread.
    for number in [1, 2, 3, 4, 5, 6, 7, 8, 12, 16, 24, 32, 48, 64] {
      let folder = try Folder()
      let process = try start(
        Self.strace, "-f", "-qq", "-o", "/dev/null", "-e", "trace=\(call)", "-e",
        "inject=\(call):signal=KILL:when=\(number)", try writer, path(folder.url), "50")
      // The program strace ends in the same way as its program.
      guard end(of: process) & 0x7f == SIGKILL else { continue }
      kills += 1
      let queue = try PendingSyncQueue(folder: folder.url, userId: "ana")
      #expect(queue.unreadable == nil)
      let ids = await queue.pending.map(\.workout.id)
      await queue.close()
      #expect(ids == (0..<ids.count).map { "w\($0)" })
      #expect(0...1 ~= ids.count - told.count, "\(call) \(number)")
    }
    #expect(kills > 3)
  }

  /// The effect of a power failure cannot be tested here, but the order of the system calls can be
  /// checked.
  @Test(.enabled(if: hasStrace))
  func `content, name and folder are on the disk before anybody is told`() throws {
    let calls = beside.url.appending(path: "calls")
    let process = try start(
      Self.strace, "-f", "-o", path(calls), "-e", "trace=openat,write,fsync,rename", try writer,
      path(folder.url), "5")
    #expect(end(of: process) == 0)
    #expect(told == (0..<5).map { "w\($0)" })
    let steps = try String(contentsOf: calls, encoding: .utf8).split(separator: "\n")
      .compactMap { line -> String? in
        if line.contains(".new\", O_WRONLY") { return "beside" }
        if line.contains("\"\(path(folder.url))\", O_RDONLY") { return "folder" }
        if line.contains(/write\(1,/) { return "told" }
        if line.contains(/write\(\d+, "baton-pending/) { return "content" }
        if line.contains("fsync(") { return "disk" }
        return line.contains("rename(") ? "name" : nil
      }
    let each = ["beside", "content", "disk", "name", "folder", "disk", "told"]
    #expect(steps == Array(repeating: each, count: 5).flatMap(\.self))
  }
}
