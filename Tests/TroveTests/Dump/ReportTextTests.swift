// Tests of the printed reports of work on a whole store: a line for each type, and none of Swift's dumps of a struct.

import Testing
import TroveTestSupport

@testable import Trove

@Suite("Reports as text") struct ReportTextTests {
    @Test func reports_areLines() throws {
        let directory = try TemporaryDirectory()
        let path = directory.path("ticks.trove")
        let store = try Store(path: path, options: StoreOptions(durability: .noSync))
        try store.insert(contentsOf: (0..<3).map { Tick(number: $0, note: "") })
        let copy = try store.copy(to: directory.path("copy.trove"))
        #expect(
            "\(copy)"
                == "TroveTests.Tick: 3 records copied\n\(copy.path): copied and verified; 3 records, \(copy.size) bytes"
        )
        let loaded = try Store.create(at: directory.path("new.trove"), lines: store.dump())
        #expect("\(loaded)" == "TroveTests.Tick: 3 records loaded\n3 records loaded")
        let skipped = try store.load(from: store.dump(), onConflict: .ignore)
        #expect("\(skipped)" == "TroveTests.Tick: 0 records loaded, 3 skipped\n0 records loaded")
        try store.close()
        let verified = try Store.verify(path: path)
        #expect("\(verified)".hasPrefix("TroveTests.Tick: 3 records, "))
        #expect("\(verified)".hasSuffix("\nsound; 3 records"))
        let salvaged = try Store.salvage(from: path, to: directory.path("saved.trove"))
        #expect("\(salvaged)" == "TroveTests.Tick: 3 records copied\neverything was copied; 3 records")
    }
}
