// Stores with relations that were written when their version of the format was current.

import Foundation
import LMDB
import Testing
import TroveCoding
import TroveStoreWorker
import TroveTestSupport

@testable import Trove

@Suite("Stored samples of relations") struct StoredLinkSampleTests {
    private let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    private static let formats = FormatVersion.withFeatures...FormatVersion.newest

    /// Returns the path of a copy of the sample; tests may change the copy.
    private func copy(ofFormat format: UInt32) throws -> String {
        try StoredSamples.copy("format-\(format).trove", to: directory.path("sample.trove"))
    }

    @Test(arguments: formats) func aSample_isSound_andReadWithoutWriting(_ format: UInt32) throws {
        let path = try copy(ofFormat: format)
        let report = try Store.verify(path: path)
        #expect(report.isSound && report.findings.isEmpty)
        #expect(report.types.compactMap(\.links).count == 7)
        let bytes = try Data(contentsOf: URL(filePath: path))
        do {
            let options = StoreOptions(isReadOnly: true, verifiesChecksums: true)
            let store = try Store(path: path, records: SampleLinks.types, options: options)
            #expect(try store.read { try $0.catalogStorage().format() } == format)
            #expect(try store.info.features == [.links])
            let differences = try store.check()
            #expect(differences == [])
            let fresh = try Store.temporary(records: SampleLinks.types)
            try SampleLinks.fill(fresh)
            // The stored bytes equal the bytes of links saved now.
            #expect(try store.linkBytes() == fresh.linkBytes())
            #expect(try store.rawRecords() == fresh.rawRecords())
            #expect(try SampleChat.links("messages", of: "1", in: store) == ["5", "6", "8", "7"])
            #expect(try SampleUser.links("friends", of: "2", in: store) == ["1", "2"])
            #expect(try SampleMessage.links("viewedBy", of: "7", in: store).count == 3)
        }
        #expect(try Data(contentsOf: URL(filePath: path)) == bytes)
    }

    @Test(arguments: formats) func aSample_isWrittenTo(_ format: UInt32) throws {
        let path = try copy(ofFormat: format)
        let store = try Store(path: path, records: SampleLinks.types)
        try store.delete(SampleMessage.self, key: "7")
        #expect(try SampleChat.links("messages", of: "1", in: store) == ["5", "6", "8"])
        let differences = try store.check()
        #expect(differences == [])
        try SampleLinks.fill(store)
        #expect(try SampleChat.links("messages", of: "1", in: store) == ["5", "6", "8", "7"])
        #expect(try Store.verify(path: path).isSound)
    }
}
