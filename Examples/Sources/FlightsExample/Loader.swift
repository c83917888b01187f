// The loader of CSV files: it parses rows, collects a batch of records, and writes the batch in a transaction.

import Foundation
import Trove

/// Loads the data files into a store.
struct Loader {
    let store: Store

    /// The number of rows in a transaction, large enough to make a commit cheap. A load keeps only these records and
    /// the text of the file in memory.
    private let batchSize = 10_000

    init(store: Store) {
        self.store = store
    }

    /// Loads the reference tables and a file of flights, unless the store already has them.
    ///
    /// - Returns: Whether anything had to be loaded.
    func load(_ files: DataFiles) throws -> Bool {
        if try isLoaded(files.flights.lastPathComponent) || isLoaded(DataFiles.wholeYearName) { return false }
        // Deletes the remains of an interrupted load, or of a smaller file.
        try store.write { context in
            try Flight.query().delete(in: context)
            try LoadedFile.query().delete(in: context)
        }
        try load(files.airlines, label: "airlines", make: Airline.init(row:))
        try load(files.airports, label: "airports", make: Airport.init(row:))
        try load(files.planes, label: "planes", make: Plane.init(row:))
        try load(files.flights, label: "flights", make: Flight.init(row:))
        return true
    }

    private func isLoaded(_ name: String) throws -> Bool {
        try LoadedFile.get(in: store, name: name) != nil
    }

    private func load<Record: IndexKeyRecord>(
        _ url: URL, label: String, make: @escaping (CSVRow) throws -> Record
    ) throws {
        let store = store
        let batchSize = batchSize
        let file = try CSVFile(url)
        let total = file.estimatedCount
        var progress = LoadProgress(label: label)
        var batch: [Record] = []
        var count = 0
        try file.forEach { row in
            batch.append(try make(row))
            count += 1
            progress.advance(to: count, of: total)
            if batch.count == batchSize {
                try store.write { context in try context.insert(contentsOf: batch) }
                batch.removeAll(keepingCapacity: true)
            }
        }
        // The last batch and the record of the loaded file are written in the same transaction.
        try store.write { context in
            try context.insert(contentsOf: batch)
            try context.insert(LoadedFile(name: url.lastPathComponent, rows: count))
        }
        progress.finish(at: count)
    }
}
