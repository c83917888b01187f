// The Swift samples of Docs/Cookbook.md, written by scripts/update-doc-samples: change the document, not this file.
// swift-format-ignore-file

import Foundation
import Trove

// Docs/Cookbook.md:2288
private struct Version: KeyComponent, Comparable {
    var major: UInt16
    var minor: UInt16

    static func describe(in layout: inout LayoutBuilder) { layout.append("(UInt16,UInt16)") }
    static var fixedSize: Int? { 4 }
    var encodedSize: Int { 4 }

    func encode(into writer: inout ValueWriter) {
        major.encode(into: &writer)
        minor.encode(into: &writer)
    }

    init(decoding reader: inout ValueReader) throws(CodingError) {
        major = try UInt16(decoding: &reader)
        minor = try UInt16(decoding: &reader)
    }

    func encodeKey(into writer: inout KeyWriter) {
        major.encodeKey(into: &writer)
        minor.encodeKey(into: &writer)
    }

    init(decodingKey reader: inout KeyReader) throws(CodingError) {
        major = try UInt16(decodingKey: &reader)
        minor = try UInt16(decodingKey: &reader)
    }

    init(_ major: UInt16, _ minor: UInt16) {
        self.major = major
        self.minor = minor
    }

    static func < (left: Version, right: Version) -> Bool {
        (left.major, left.minor) < (right.major, right.minor)
    }
}

// Docs/Cookbook.md:2336
@IndexKeyRecord("package", "version")
private struct Release {
    let package: String
    let version: Version
}

enum Cookbook_YourOwnKeyComponent {
    @Sendable static func run() throws {
        // Docs/Cookbook.md:2330
        let versions = [Version(0, 0), Version(0, 9), Version(1, 0), Version(1, 256), Version(65_535, 65_535)]
        expectOutput(CodingLaws.valueViolations(of: versions), is: #"[]"#, at: "Docs/Cookbook.md:2331")
        expectOutput(CodingLaws.keyViolations(of: versions, areInIncreasingOrder: <), is: #"[]"#, at: "Docs/Cookbook.md:2332")
        // Docs/Cookbook.md:2336

        let store = try Store.temporary()
        try store.insert(Release(package: "trove", version: Version(1, 10)))
        try store.insert(Release(package: "trove", version: Version(1, 9)))
        let newest = try Release.query(package: "trove").order(.descending).first(in: store)
        expectOutput(newest?.version.minor ?? 0, is: #"10"#, at: "Docs/Cookbook.md:2346")
        _ = versions
        _ = store
        _ = newest
    }
}
