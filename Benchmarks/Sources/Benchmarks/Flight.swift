// The record of W6: a flight out of New York in 2013, with a key of four components.

import Foundation
import GRDB
import SwiftCSV
import Trove

/// A flight of nycflights13.
@IndexKeyRecord("origin", "scheduledDeparture", "carrier", "number")
struct Flight: Equatable, Codable {
    let origin: String
    let scheduledDeparture: Date
    let carrier: String
    let number: Int
    let destination: String
    let tailNumber: String?
    var departureDelay: Int?
    var arrivalDelay: Int?
    let minutesInAir: Int?
    let miles: Int
}

extension Flight: FetchableRecord, PersistableRecord {
    static let databaseTableName = "flight"
}

extension Flight {
    /// Reads a file with the columns of nycflights13, whose cells have no quotes; `NA` is a missing value.
    static func read(from url: URL) throws -> [Flight] {
        let csv = try EnumeratedCSV(url: url, delimiter: .comma, encoding: .utf8, loadColumns: false)
        let place = Dictionary(zip(csv.header, csv.header.indices), uniquingKeysWith: { first, _ in first })
        func column(_ name: String) throws -> Int {
            guard let index = place[name] else { throw BenchmarkError("\(url.path) has no column \"\(name)\"") }
            return index
        }
        let origin = try column("origin"), hour = try column("time_hour"), minute = try column("minute")
        let carrier = try column("carrier"), number = try column("flight"), destination = try column("dest")
        let tail = try column("tailnum"), late = try column("dep_delay"), arrival = try column("arr_delay")
        let air = try column("air_time"), miles = try column("distance")
        let time = Date.ISO8601FormatStyle.iso8601
        return try csv.rows.map { row in
            guard let minutes = Double(row[minute]), let number = Int(row[number]), let miles = Int(row[miles]) else {
                throw BenchmarkError("\(url.path): not a flight: \(row.joined(separator: ","))")
            }
            return Flight(
                origin: row[origin], scheduledDeparture: try Date(row[hour], strategy: time) + minutes * 60,
                carrier: row[carrier], number: number, destination: row[destination],
                tailNumber: row[tail] == "NA" ? nil : row[tail], departureDelay: Int(row[late]),
                arrivalDelay: Int(row[arrival]), minutesInAir: Int(row[air]), miles: miles)
        }
    }
}
