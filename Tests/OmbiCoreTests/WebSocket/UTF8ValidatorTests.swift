import Foundation
import Testing

@testable import OmbiCore

@Suite struct UTF8ValidatorTests {
    /// nil where the bytes are refused.
    private static func isComplete(_ bytes: [UInt8], portions: Int = .max) -> Bool? {
        var validator = UTF8Validator()
        var rest = bytes[...]
        while !rest.isEmpty {
            guard Array(rest.prefix(portions)).withUnsafeBytes({ validator.accept($0) }) else { return nil }
            rest = rest.dropFirst(portions)
        }
        return validator.isComplete
    }

    private static func isText(_ bytes: [UInt8]) -> Bool { String(validating: bytes, as: UTF8.self) != nil }

    @Test func `the standard library agrees on sequences of up to four bytes around every border`() {
        let borders: [UInt8] = [0x00, 0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC0, 0xFF]
        var sequences = (UInt8(0x80)...0xFF).flatMap { first in (UInt8.min...0xFF).map { [first, $0] } }
        for first in UInt8(0x80)...0xFF {
            for second in borders {
                for third in borders { sequences += [[first, second, third], [first, second, third, 0x80]] }
            }
        }
        let wrong = sequences.filter { (Self.isComplete($0) == true) != Self.isText($0) }
        #expect(wrong.isEmpty)
    }

    @Test(arguments: [
        "", "Hello-µ@ßöäüàá-UTF-8!!", "κόσμε", "\u{0}", "\u{7F}\u{80}\u{7FF}\u{800}\u{FFFF}\u{10000}\u{10FFFF}",
        "\u{D7FF}\u{E000}\u{FFFD}", "12345678ü12345678", "1234567ü", "💶💶",
    ])
    func `text is accepted in any portions`(text: String) {
        for portions in [1, 2, 3, 7, 8, .max] { #expect(Self.isComplete(Array(text.utf8), portions: portions) == true) }
    }

    /// The byte, counted from 0, that shows that it is no text.
    @Test(
        arguments: [
            ([0x80], 0), ([0x61, 0xC0], 1), ([0xC1, 0x80], 0), ([0xC2, 0x41], 1), ([0xE0, 0x9F], 1), ([0xED, 0xA0], 1),
            ([0xE2, 0x82, 0x28], 2), ([0xF0, 0x8F], 1), ([0xF4, 0x90], 1), ([0xF5], 0), ([0xFF], 0), ([0xFE], 0),
            (Array("κόσμε".utf8) + [0xED, 0xA0, 0x80], 11), (Array("12345678".utf8) + [0xBF], 8),
        ] as [([UInt8], Int)])
    func `what is no text is refused at the first byte that shows it`(bytes: [UInt8], position: Int) {
        #expect(Self.isComplete(Array(bytes[..<position])) != nil)
        #expect(Self.isComplete(Array(bytes[...position])) == nil)
    }

    @Test func `a text that ends within a character is not complete`() {
        for text in ["ü", "€", "💶"] {
            for count in 1..<text.utf8.count { #expect(Self.isComplete(Array(text.utf8.prefix(count))) == false) }
        }
    }
}
