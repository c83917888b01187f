// Tests of `CodingLaws`: correct types pass, and each law finds a type that violates it.

import Testing
import TroveCoding
import TroveCodingSamples

/// A key component with a fault that the test chooses.
private struct Broken: KeyComponent, Equatable {
    enum Fault { case none, order, prefix, roundTrip, skip, size, noBytes, same }
    @TaskLocal static var fault = Fault.none
    var number: UInt16

    init(_ number: UInt16) { self.number = number }

    static func describe(in layout: inout LayoutBuilder) { layout.append("Broken") }

    var encodedSize: Int { Self.fault == .size ? 3 : Self.fault == .noBytes ? 0 : 2 }

    func encode(into writer: inout ValueWriter) {
        switch Self.fault {
        case .noBytes: break
        case .same: writer.writeInteger(UInt16(0))
        default: writer.writeInteger(Self.fault == .roundTrip ? number ^ 1 : number)
        }
    }

    init(decoding reader: inout ValueReader) throws(CodingError) {
        number = Self.fault == .noBytes ? 0 : try reader.readInteger()
    }

    static func skip(in reader: inout ValueReader) throws(CodingError) { try reader.skip(fault == .skip ? 1 : 2) }

    func encodeKey(into writer: inout KeyWriter) {
        switch Self.fault {
        case .noBytes: break
        case .order: writer.writeInteger(number.byteSwapped)
        case .prefix: for _ in 0..<number { writer.writeByte(1) }
        case .same: writer.writeInteger(UInt16(0))
        default: writer.writeInteger(Self.fault == .roundTrip ? number ^ 1 : number)
        }
    }

    init(decodingKey reader: inout KeyReader) throws(CodingError) {
        switch Self.fault {
        case .noBytes: number = 0
        case .order: number = try reader.readInteger(UInt16.self).byteSwapped
        case .prefix:
            number = UInt16(reader.remaining)
            try reader.skip(reader.remaining)
        default: number = try reader.readInteger()
        }
    }

    static func skipKey(in reader: inout KeyReader) throws(CodingError) {
        try reader.skip(fault == .skip ? 1 : reader.remaining)
    }
}

struct CodingLawsTests {
    @Test func ownTypes_keepTheLaws() {
        let versions = ["", "a", "a\0", "b"].flatMap { label in
            [UInt16.min, 1, 255, 256, .max].map { Version(major: $0, label: label) }
        }
        #expect(CodingLaws.keyViolations(of: versions, areInIncreasingOrder: <) == [])
        #expect(CodingLaws.valueViolations(of: versions) == [])
        #expect(CodingLaws.valueViolations(of: Place.edges) == [])
        #expect(CodingLaws.valueViolations(of: Tree.edges) == [])
    }

    @Test func libraryTypes_keepTheLaws() {
        #expect(CodingLaws.keyViolations(of: String.edges, areInIncreasingOrder: String.sortsBefore) == [])
        #expect(CodingLaws.keyViolations(of: Int.edges, areInIncreasingOrder: <) == [])
        #expect(
            CodingLaws.keyViolations(of: Int.edges.map(Descending.init)) { $1.value < $0.value } == [])
        #expect(CodingLaws.valueViolations(of: String.edges) == [])
    }

    @Test(arguments: [
        (Broken.Fault.none, "nil", "nil"),
        (.order, "nil", "do not sort as the values do"),
        (.prefix, "nil", "are the beginning of those of"),
        (.roundTrip, "comes back as", "comes back from its key as"),
        (.skip, "Bytes are left", "Bytes are left"),
        (.size, "3 bytes promised, 2 written", "nil"),
        (.noBytes, "it must be at least 1", "has no bytes"),
        (.same, "have the same bytes", "have the same bytes"),
    ])
    fileprivate func eachLaw_findsWhatBreaksIt(_ fault: Broken.Fault, _ inValue: String, _ inKey: String) {
        Broken.$fault.withValue(fault) {
            let values = [1, 2, 255, 256, 700].map(Broken.init)
            let valueViolations = CodingLaws.valueViolations(of: values)
            let keyViolations = CodingLaws.keyViolations(of: values) { $0.number < $1.number }
            for (violations, text) in [(valueViolations, inValue), (keyViolations, inKey)] {
                if text == "nil" {
                    #expect(violations == [])
                } else {
                    #expect(violations.contains { $0.contains(text) }, "\(fault): \(violations)")
                }
            }
        }
    }
}
