import Challenges
import ChallengesApp
import Foundation

/// Adds workouts to a queue, without end or so many, and says so of each one when it is on the disk.
///
/// Tests kill it.
@main
struct QueueWriter {
  static func main() async throws {
    let folder = URL(filePath: CommandLine.arguments[1])
    let queue = try PendingSyncQueue(folder: folder, userId: "ana", capacity: 100_000)
    let began = Date(timeIntervalSince1970: 1_768_392_000)
    let first = await queue.pending.count
    let count = CommandLine.arguments.dropFirst(2).first.flatMap { Int($0) } ?? 100_000
    for number in first..<first + count {
      try await queue.enqueue(
        WorkoutHistoryEntry(id: "w\(number)", performedAt: began), privacy: PrivacySettings())
      // One call: a line is there or not.
      let line = Array("w\(number)\n".utf8)
      _ = line.withUnsafeBytes { write(1, $0.baseAddress, $0.count) }
    }
  }
}
