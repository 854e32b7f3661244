import BatonPostgres
import Foundation
import Synchronization

/// Completes the effects of a worker in groups, to save transactions.
///
/// While the transaction of one group is in progress, newly ended effects are collected for the
/// next group. No timer delays a completion, so a single effect is completed immediately.
///
/// A failed group completion never makes a run fail. If a group completion did not complete a run,
/// the run's attempt completes it separately.
final class GroupCompletion: Sendable {
  /// The id and the fencing token of a claimed run.
  struct Fence: Hashable, Sendable {
    let run: Int64
    let token: UUID
  }

  /// An attempt whose run is completed in a group.
  struct Member: Sendable {
    let attempt: EffectAttempt
    /// The output to store in the run history.
    let output: String?
    /// The duration of the effect.
    let took: Duration

    var run: ClaimedRun { attempt.claim.runs[0] }
    var fence: Fence { Fence(run: run.id, token: attempt.claim.token) }
  }

  private struct State {
    var waiting: [Member] = []
    /// The task that completes groups of runs.
    ///
    /// The task exists only while runs are waiting to be completed.
    var leading: Task<Void, Never>?
    var isCancelled = false
  }

  /// The maximum number of runs in a group, which limits the duration of one statement.
  private static let most = 500

  private let state = Mutex(State())

  /// Completes the run of an attempt together with other runs.
  ///
  /// The method does not wait for the completion.
  ///
  /// - Parameter output: the output to store in the run history.
  func add(_ attempt: EffectAttempt, output: String?) {
    let member = Member(attempt: attempt, output: output, took: attempt.elapsed)
    state.withLock { state in
      state.waiting.append(member)
      guard state.leading == nil else { return }
      let leading = Task { await lead(on: attempt.crew.sessions) }
      if state.isCancelled { leading.cancel() }
      state.leading = leading
    }
  }

  /// Cancels the running statement and all later statements that complete groups.
  ///
  /// Without this cancellation, the worker could not stop while the server is unreachable.
  func cancel() {
    let leading = state.withLock { state in
      state.isCancelled = true
      return state.leading
    }
    leading?.cancel()
  }

  /// Completes groups one after another until no runs are waiting.
  private func lead(on sessions: SessionPool) async {
    while state.withLock({ state in
      if state.waiting.isEmpty { state.leading = nil }
      return state.leading != nil
    }) {
      await sessions.with { await endGroup(on: $0) }
    }
  }

  private func endGroup(on reconnecting: ReconnectingSession) async {
    // The members are collected after the wait for a session, so that a group also contains runs
    // that ended during the wait.
    let members = state.withLock { state in
      let members = Array(state.waiting.prefix(Self.most))
      state.waiting.removeFirst(members.count)
      return members
    }
    // Runs that store history or delete payloads are completed in a separate transaction, whose
    // errors do not affect other runs.
    let (full, plain) = members.divided { $0.attempt.storesMore }
    var ended = await Self.end(
      plain, with: QueueCalls.endEffects(plain), on: reconnecting)
    ended.formUnion(
      await Self.end(full, with: QueueCalls.endEffectsWithHistory(full), on: reconnecting))
    var done: [EffectAttempt] = []
    done.reserveCapacity(members.count)
    for member in members {
      if ended.contains(member.fence) {
        done.append(member.attempt)
      } else {
        member.attempt.completeAlone(member.output)
      }
    }
    for (_, part) in Dictionary(grouping: done, by: { ObjectIdentifier($0.crew) }) {
      part[0].crew.done(part)
    }
  }

  /// Completes runs in one transaction, and returns the completed runs, or an empty list after an
  /// error.
  private static func end(
    _ members: [Member], with call: Call<[Fence]>, on reconnecting: ReconnectingSession
  ) async -> Set<Fence> {
    guard !members.isEmpty else { return [] }
    do {
      let ended: [Fence] = try await reconnecting.session().atomically(call)
      return Set(ended)
    } catch {
      // After an error, each member completes its run separately, and reports its own error.
      return []
    }
  }
}

extension Array {
  /// Returns the matching elements and the other elements, each list in the original order.
  fileprivate func divided(_ matches: (Element) -> Bool) -> ([Element], [Element]) {
    (filter(matches), filter { !matches($0) })
  }
}
