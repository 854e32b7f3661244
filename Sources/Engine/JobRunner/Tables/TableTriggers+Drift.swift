import BatonJobs
import BatonPostgres
import RunnerSQL

extension TableTriggers {
  /// Returns the differences between declarations and triggers, each described in one sentence.
  ///
  /// - Parameters:
  ///   - ofOthers: whether faults in undeclared triggers are reported too.
  ///   - isCurrent: whether the program's release is current. If `isCurrent` is false, the triggers
  ///     need not match the declarations, so only faults in the triggers are reported.
  func differences(
    _ session: Session, ofOthers: Bool, isCurrent: Bool = true
  ) async throws(PostgresError) -> [String] {
    // Planning the query that searches for faults would delay a worker's first run. A program that
    // does not declare any triggers does not need the query.
    guard !declarations.isEmpty || ofOthers else { return [] }
    let declarations = declarations(without: try await session.atomically(listRetired))
    let declared = isCurrent ? declarations : []
    let found = try await session.atomically(TableDeclaration.describe(declared))
    var differences: [String] = []
    var own: [TableTriggerText] = []
    for (declaration, found) in found {
      switch found {
      case .success(let table):
        own.append(
          TableTriggerText(
            job: declaration.job, trigger: declaration.trigger, table: table, in: schema))
      case .failure(let problem): differences.append("job \(problem.job): \(problem)")
      }
    }
    let names = Set(
      declarations.map {
        TableTriggerText.name(job: $0.job, trigger: $0.trigger, schema: schema)
      })
    let made = try await session.atomically(MadeTableTrigger.list(own))
    for text in own {
      guard let made = made.first(where: { $0.name == text.name }) else {
        differences.append("nothing records the writes of \(text.trigger.name) for job \(text.job)")
        continue
      }
      if made.isOwn != true {
        differences.append(
          "the trigger of job \(text.job) on \(text.trigger.name) was made for another declaration")
      }
    }
    for made in made where names.contains(made.name) || ofOthers { differences += made.faults }
    if ofOthers, isCurrent {
      differences += made.filter { $0.program == program && !names.contains($0.name) }
        .map { "no job declares the trigger \($0.name) any more" }
    }
    return Set(differences).sorted()
  }
}
