import ArgumentParser
import Foundation

/// An error as a person reads it: what happened, where, and what to do next.
struct Complaint: Error {
  let what: String
  let place: String
  let next: String
  let status: ExitStatus

  init(_ status: ExitStatus, what: String, place: String, next: String) {
    self.status = status
    self.what = what
    self.place = place
    self.next = next
  }

  var text: String {
    """
    error: \(what)
    where: \(place)
    next:  \(next)

    """
  }
}

/// Runs a command's work; an error is printed in three parts and becomes the exit code.
func complaining(
  about database: Database? = nil, _ body: () async throws -> Void
) async throws {
  do {
    try await body()
  } catch let exit as ExitCode {
    throw exit
  } catch let validation as ValidationError {
    throw validation
  } catch {
    let complaint = Complaint(error, database: database)
    FileHandle.standardError.write(Data(complaint.text.utf8))
    throw complaint.status.code
  }
}
