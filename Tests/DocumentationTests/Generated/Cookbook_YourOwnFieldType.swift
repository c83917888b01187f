// The Swift samples of Docs/Cookbook.md, written by scripts/update-doc-samples: change the document, not this file.
// swift-format-ignore-file

import Foundation
import Trove

// Docs/Cookbook.md:2355
private struct Temperature: RecordValue, Equatable {
    var tenths: Int16

    static func describe(in layout: inout LayoutBuilder) { Int16.describe(in: &layout) }
    static var fixedSize: Int? { Int16.fixedSize }
    var encodedSize: Int { 2 }

    func encode(into writer: inout ValueWriter) { tenths.encode(into: &writer) }

    init(decoding reader: inout ValueReader) throws(CodingError) {
        tenths = try Int16(decoding: &reader)
    }

    init(tenths: Int16) { self.tenths = tenths }
}

enum Cookbook_YourOwnFieldType {
    @Sendable static func run() throws {
        // Docs/Cookbook.md:2354
        /// A temperature to a tenth of a degree, in two bytes.

        let values = [Temperature(tenths: .min), Temperature(tenths: 0), Temperature(tenths: 215)]
        expectOutput(CodingLaws.valueViolations(of: values), is: #"[]"#, at: "Docs/Cookbook.md:2372")
        expectOutput(try ValueWriter.bytes(of: Temperature(tenths: 215)), is: #"[215, 0]"#, at: "Docs/Cookbook.md:2373")
        _ = values
    }
}
