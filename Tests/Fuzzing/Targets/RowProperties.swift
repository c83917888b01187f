// The properties of the rows of full text, whatever their bytes: they are read, or they are a `CodingError`. What is
// read can be written, and is read again as the same.
//
//     input = form · fields · number · content     a byte each for the first three; the content is the rest

import Trove
import TroveCoding

enum RowProperties {
    static func check(_ input: [UInt8]) throws {
        guard input.count >= 3 else { return }
        let form = TextRowForm.allCases[Int(input[0]) % TextRowForm.allCases.count]
        let fields = Int(input[1]) % 15 + 1
        // Small, large, and beyond the greatest number.
        let number = UInt64(input[2] & 0x1F) << UInt64(input[2] >> 5) * 6
        var content = Array(input[3...])
        // A page of lengths has a size of its own.
        if form == .lengths { content += [UInt8](repeating: 0, count: max(0, 4064 - content.count)) }
        let read: (numbers: [UInt64], row: [UInt8])
        do throws(CodingError) {
            read = try form.rewrite(content, number: number, fields: fields)
        } catch {
            return
        }
        let again: (numbers: [UInt64], row: [UInt8])
        do throws(CodingError) {
            again = try form.rewrite(read.row, number: number, fields: fields)
        } catch {
            throw Violation("a \(form) of \(read.numbers), written as \(read.row.hex), is not read: \(error)")
        }
        try require(again.numbers == read.numbers, "a \(form) of \(read.numbers) is read as \(again.numbers)")
        try require(again.row == read.row, "a \(form) of \(read.numbers) is written in two ways")
    }
}
