import ArgumentParser
import Baton
import BatonPostgres
import OrdersSQL

/// The `orders to-pack` command.
struct ToPackCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "to-pack", abstract: "List the parcels that the warehouse must pack, oldest first."
  )

  @Option(help: "The maximum number of parcels.")
  var limit = 100

  func run() async throws {
    let database = try await Database.orExit()
    // An error is printed as three lines: the problem, its place, and the next step. The program
    // then exits with the exit code of the error.
    try await database.reportingErrors() {
      let connection = try await database.connect()
      let list = Call.rows(
        SQL.Parcels.listToPack, Int64(limit), as: Int64.self, String.self, String.self)
      let parcels = try await connection.atomically(in: database.schema, list)
      await connection.close()
      if parcels.isEmpty { Console.write("nothing to pack") }
      for (parcel, product, address) in parcels {
        Console.write("\(parcel)  \(product)  \(address)")
      }
    }
  }
}
