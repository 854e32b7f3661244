import Baton
import Foundation

/// The last part of the demo: two phones, and the dashboard.
extension DemoCommand {
  /// Starts the API and a worker for phones, and serves the page for phones or plays one
  /// ``PhoneRound``.
  ///
  /// - Parameter boards: the database in which workouts are recorded until a signal arrives, or nil
  ///   to record no workouts.
  func playPhones(
    at address: String, serves: Bool, _ dashboard: Dashboard?, writing boards: Database?
  ) async throws {
    #if HTTP
      let port = serves ? Dashboard.freePort(of: 8100...8119) ?? 0 : 0
      let phones = try await PhoneDemo.start(at: address, port: port, log: log)
      guard serves else {
        defer { phones.stopWorker() }
        let time = try await phones.playRound()
        Console.write(
          """
          phones    Ben joined by a link and recorded a workout; \
          on the board of Ann's phone after \(Int((time / .milliseconds(1)).rounded())) ms
          """)
        return
      }
      Console.write(
        """
        phones    \(phones.address) is the page of the first phone: choose Ann
        phones    \(phones.link) is the page of the second phone: choose Ben
        """)
      let end = await stay(dashboard, writing: boards)
      await phones.stop()
      try end.get()
    #endif
  }

  /// Prints the dashboard's address, and records workouts until a signal arrives.
  private func stay(
    _ dashboard: Dashboard?, writing boards: Database?
  ) async -> Result<Void, any Error> {
    Console.write(
      dashboard.map {
        "dashboard http://\($0.address)/ has boards that move while this goes on; ^C ends it"
      } ?? "^C ends it")
    Console.flush()
    let (end, wasStopped) = await untilSignal { () async throws -> Void in
      guard let boards else { return try await Task.sleep(for: .seconds(1_000_000_000)) }
      try await LiveWrites.goOn(on: boards)
    }
    // An error is not reported if a signal stopped the demo.
    return wasStopped ? .success(()) : end
  }
}
