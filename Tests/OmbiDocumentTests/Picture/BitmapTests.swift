import Testing

@testable import OmbiDocument

@Suite struct BitmapTests {
    @Test(arguments: [
        (4000, 3000, 80, 40, 53, 40), (3000, 4000, 80, 40, 30, 40), (100, 10, 80, 40, 80, 8), (10, 10, 80, 40, 10, 10),
        (2000, 3, 80, 40, 80, 1), (3, 2000, 80, 40, 1, 40), (5, 5, 0, -3, 1, 1),
    ])
    func `a picture fits into its room in its own shape, and does not grow`(
        width: Int, height: Int, roomWidth: Int, roomHeight: Int, wantedWidth: Int, wantedHeight: Int
    ) {
        let fitted = PixelSize(width: width, height: height)
            .fitted(into: PixelSize(width: roomWidth, height: roomHeight))
        #expect(fitted == PixelSize(width: wantedWidth, height: wantedHeight))
    }

    @Test func `a pixel is the average of what it stands for`() throws {
        let bitmap = try #require(Self.grey([0, 100, 200, 40, 60, 80], width: 3))
        let small = bitmap.scaled(to: PixelSize(width: 1, height: 1))
        #expect(small[0, 0] == RGB(80, 80, 80))
        // The middle column belongs to both halves: (0 + 100 / 2) / 1.5 and (100 / 2 + 200) / 1.5.
        let wide = bitmap.scaled(to: PixelSize(width: 2, height: 2))
        #expect([wide[0, 0], wide[1, 0], wide[0, 1], wide[1, 1]].map(\.red) == [33, 167, 47, 73])
    }

    @Test func `one colour stays that colour at any size`() throws {
        let bitmap = try #require(Self.grey([UInt8](repeating: 201, count: 7 * 13), width: 7))
        for (width, height) in [(1, 1), (2, 5), (6, 12), (7, 13), (20, 31)] {
            let scaled = bitmap.scaled(to: PixelSize(width: width, height: height))
            #expect(scaled.size == PixelSize(width: width, height: height))
            let pixels = (0..<height).flatMap { row in (0..<width).map { scaled[$0, row] } }
            #expect(Set(pixels) == [RGB(201, 201, 201)], "at \(width)x\(height)")
        }
    }

    @Test func `the size must agree with the pixels, and there is nothing outside`() throws {
        #expect(Bitmap(size: PixelSize(width: 2, height: 2), samples: [1, 2, 3]) == nil)
        #expect(Bitmap(size: PixelSize(width: 0, height: 0), samples: []) == nil)
        let bitmap = try #require(Self.grey([9], width: 1))
        #expect(bitmap[1, 0] == RGB(0, 0, 0))
        #expect(bitmap[0, -1] == RGB(0, 0, 0))
        #expect(bitmap.scaled(to: PixelSize(width: 0, height: 5)) == bitmap)
    }

    @Test func `each way that a camera was held is turned upright`() throws {
        // Exif's numbers 1 to 8 for a picture of 2x1: where the first of its two pixels comes to lie.
        let bitmap = try #require(Self.grey([1, 2], width: 2))
        let wanted: [(Int, [UInt8], Int)] = [
            (1, [1, 2], 2), (2, [2, 1], 2), (3, [2, 1], 2), (4, [1, 2], 2), (5, [1, 2], 1), (6, [1, 2], 1),
            (7, [2, 1], 1), (8, [2, 1], 1), (0, [1, 2], 2), (9, [1, 2], 2),
        ]
        for (number, pixels, width) in wanted {
            let turned = Orientation(number: number).turned(bitmap)
            #expect(turned == Self.grey(pixels, width: width), "\(number)")
        }
        // And for one of 1x2.
        let upright = try #require(Self.grey([1, 2], width: 1))
        let others: [(Int, [UInt8], Int)] = [
            (3, [2, 1], 1), (4, [2, 1], 1), (5, [1, 2], 2), (6, [2, 1], 2), (8, [1, 2], 2),
        ]
        for (number, pixels, width) in others {
            #expect(Orientation(number: number).turned(upright) == Self.grey(pixels, width: width), "\(number)")
        }
    }

    private static func grey(_ values: [UInt8], width: Int) -> Bitmap? {
        Bitmap(
            size: PixelSize(width: width, height: values.count / width), samples: values.flatMap { [$0, $0, $0] })
    }
}
