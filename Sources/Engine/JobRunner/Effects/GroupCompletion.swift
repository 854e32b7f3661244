import BatonPostgres
import Foundation
import Synchronization

/// Completes the effects of a worker in groups, to save transactions.
///
/// While one group commits, other effects end and wait. They form the next group, so no timer
/// delays a completion, and a single effect is completed immediately. One of the members leads the
/// group: it executes the statement for all members, and then passes the lead on.
///
/// A group never fails a run. A run that the group did not complete, for any reason, is completed
/// separately by its own attempt, which reports the error of that run alone.
final class GroupCompletion: Sendable {
  /// The place and the fencing token of a claimed run.
  struct Fence: Hashable, Sendable {
    let place: RowPlace
    let token: UUID
  }

  private enum Turn: Sendable {
    case leads
    case ended
    case notEnded
  }

  private struct Member: Sendable {
    let fence: Fence
    let waiting: CheckedContinuation<Turn, Never>
  }

  private struct State {
    var hasLeader = false
    var waiting: [Member] = []
  }

  /// The largest group, so that one statement does not delay its members noticeably.
  private static let most = 500

  private let state = Mutex(State())

  /// Completes a run together with others, and returns whether that succeeded.
  ///
  /// - Parameters:
  ///   - claim: a claim of one run of a job without history and without collected payloads.
  ///   - sessions: the sessions on which a leader executes the statement.
  func complete(_ claim: Claim, on sessions: SessionPool) async -> Bool {
    let own = Fence(place: claim.runs[0].place, token: claim.token)
    switch await turn(of: own) {
    case .ended: return true
    case .notEnded: return false
    case .leads: return await lead(own, on: sessions)
    }
  }

  /// Waits for the lead, or for the end of a group that contains the run.
  private func turn(of own: Fence) async -> Turn {
    await withCheckedContinuation { continuation in
      let leads = state.withLock { state in
        guard state.hasLeader else {
          state.hasLeader = true
          return true
        }
        state.waiting.append(Member(fence: own, waiting: continuation))
        return false
      }
      if leads { continuation.resume(returning: .leads) }
    }
  }

  private func lead(_ own: Fence, on sessions: SessionPool) async -> Bool {
    let ended = await sessions.with { reconnecting in
      // The members are collected after the wait for a session, so that the group is as large as
      // possible.
      let members = state.withLock { state in
        defer { state.waiting.removeFirst(min(Self.most - 1, state.waiting.count)) }
        return Array(state.waiting.prefix(Self.most - 1))
      }
      let fences = [own] + members.map(\.fence)
      let ended = await Self.end(fences, on: reconnecting)
      for member in members {
        member.waiting.resume(returning: ended.contains(member.fence) ? .ended : .notEnded)
      }
      return ended
    }
    let next = state.withLock { state -> Member? in
      state.hasLeader = !state.waiting.isEmpty
      return state.hasLeader ? state.waiting.removeFirst() : nil
    }
    next?.waiting.resume(returning: .leads)
    return ended.contains(own)
  }

  /// Ends runs in one transaction, and returns the ended ones: after an error none.
  private static func end(
    _ fences: [Fence], on reconnecting: ReconnectingSession
  ) async -> Set<Fence> {
    do {
      let ended: [Fence] = try await reconnecting.session().atomically(
        QueueCalls.endEffects(fences))
      return Set(ended)
    } catch {
      // Each member now tries to complete its run separately, and reports the error of that try.
      return []
    }
  }
}
