#if HTTP
  import Baton
  import Challenges
  import ChallengesHTTP
  import Foundation

  /// The phones of two users, which call the demo's API with the client library for apps.
  struct PhoneRound: Sendable {
    /// A phone on which a user is signed in.
    struct Phone: Sendable {
      let user: String
      let calls: ActorRepositories
    }

    /// The user who creates the demo's group.
    static let owner = "ann"
    private static let guest = "ben"
    private static let longest = Duration.seconds(60)

    let address: URL
    let issuer: DemoIssuer

    /// Signs a user in, creating the account at the first sign-in.
    func phone(of person: String) async throws -> Phone {
      let api = ChallengesHTTP(
        ServerConnection(to: address) { [issuer] _ in try await issuer.token(of: person) })
      let user = try await api.signIn(nonce: nil)
      return Phone(user: user.id, calls: api.repositories(for: user.id))
    }

    /// Creates the owner's group, and returns the group's id and an invite code.
    func makeGroup() async throws -> (id: String, code: InviteCode) {
      let owner = try await phone(of: Self.owner)
      let group = try await owner.calls.groups.createGroup(
        name: "Early birds", ownerId: owner.user)
      return (group.id, try await owner.calls.invites.createInvite(groupId: group.id).code)
    }

    /// Plays one round, and returns the time from the guest's workout until the owner's phone shows
    /// it.
    ///
    /// The owner records a workout before the measurement, so the measured time does not include
    /// the worker's start. The guest joins with the link, and records a workout when the board
    /// shows the owner's workout.
    ///
    /// - Throws: `Complaint` if the board does not change within 60 s, or an error that a call
    ///   throws.
    func play(in group: String, link: URL) async throws -> Duration {
      try await withThrowingTaskGroup(of: Duration.self) { tasks in
        defer { tasks.cancelAll() }
        tasks.addTask { try await follow(group, link: link) }
        tasks.addTask {
          try await Task.sleep(for: Self.longest)
          throw Complaint(
            .tryAgain, what: "A workout did not reach the board within 60 s.",
            place: "the phones of the demo",
            next: "Repeat the command, and read the worker's messages in its output.")
        }
        guard let time = try await tasks.next() else { throw CancellationError() }
        return time
      }
    }

    private func follow(_ group: String, link: URL) async throws -> Duration {
      let (owner, guest) = (try await phone(of: Self.owner), try await phone(of: Self.guest))
      guard let code = Self.code(in: link) else { throw DomainError.invalidInput }
      _ = try await guest.calls.invites.joinGroup(code)
      try await Self.record(on: owner)
      var began: ContinuousClock.Instant?
      let boards = owner.calls.leaderboards.observeUpdates(groupId: group, type: .checkIns)
      for await update in boards {
        guard case .success(let board) = update else {
          if case .failure(let error) = update, !error.isRetryable { throw error }
          continue
        }
        if let began {
          if Self.value(of: guest, on: board) == 1 { return began.duration(to: .now) }
        } else if Self.value(of: owner, on: board) == 1 {
          began = .now
          try await Self.record(on: guest)
        }
      }
      throw CancellationError()
    }

    /// Returns the code in a link of the demo page, `http://localhost:8100/#join=CODE`.
    static func code(in link: URL) -> InviteCode? {
      guard let fragment = link.fragment(percentEncoded: false), fragment.hasPrefix("join=") else {
        return nil
      }
      return InviteCode(String(fragment.dropFirst("join=".count)))
    }

    private static func record(on phone: Phone) async throws {
      let workout = WorkoutHistoryEntry(
        id: UUID().uuidString.lowercased(), performedAt: Date(), in: .current)
      let answer = try await phone.calls.workouts.recordWorkout(workout)
      guard answer.outcome == .accepted else {
        throw Complaint(
          .fault, what: "A workout of the demo was \(answer.outcome).", place: "the demo's API",
          next: "Report it with this output.")
      }
    }

    private static func value(of phone: Phone, on board: LeaderboardSnapshot) -> Int {
      board.entries.first { $0.id == phone.user }?.value ?? 0
    }
  }
#endif
