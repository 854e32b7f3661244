import Challenges
import ChallengesApp
import Foundation

/// Adds a given number of workouts to a queue, or adds them endlessly.
///
/// Prints a line for each workout that is on the disk.
///
/// Tests kill this program.
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
      // The line is written with one call, so it is either complete or missing.
      let line = Array("w\(number)\n".utf8)
      _ = line.withUnsafeBytes { write(1, $0.baseAddress, $0.count) }
    }
  }
}
