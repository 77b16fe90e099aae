import TestSupport
import Testing

@testable import OmbiDocument

@Suite struct PictureTests {
    @Suite(.enabled(if: PictureLibraries.hasPNG, "\(PictureLibraries.withoutPNG)"))
    struct PNG {
        @Test func `it is decoded pixel by pixel`() throws {
            let picture = try Self.picture(PictureSamples.squares(side: 4))
            #expect(picture.size == PixelSize(width: 4, height: 4))
            #expect(picture.bitmap.corners == [RGB(255, 0, 0), RGB(0, 255, 0), RGB(0, 0, 255), RGB(255, 255, 255)])
            #expect(picture.damage == nil)
        }

        @Test func `what lets the background through lies on grey, so that black and white can be seen`() throws {
            let picture = try Self.picture(
                PictureSamples.png(width: 2, height: 1) { column, _ in [0, 0, 0, column == 0 ? 0 : 255] })
            #expect(picture.bitmap[0, 0] == RGB(0x70, 0x70, 0x70))
            #expect(picture.bitmap[1, 0] == RGB(0, 0, 0))
        }

        @Test func `a large one is scaled down, and its size is told as it came`() throws {
            let picture = try Self.picture(PictureSamples.png(width: 700, height: 100) { _, _ in [9, 90, 200, 255] })
            #expect(picture.size == PixelSize(width: 700, height: 100))
            #expect(picture.bitmap.size == PixelSize(width: 512, height: 73))
            #expect(picture.bitmap.corners.allSatisfy { $0 == RGB(9, 90, 200) })
        }

        @Test func `a header that asks for gigabytes is refused at once`() {
            let bomb = PictureSamples.png(width: 65535, height: 65535, data: [0x78, 0x01])
            #expect(throws: PictureError.tooLarge(limit: "100 megapixels")) { try Self.picture(bomb) }
        }

        @Test func `whatever is cut off or changed, there is a picture or a reason`() throws {
            for version in Damage.versions(of: PictureSamples.squares(side: 4)) { try Self.look(at: version) }
        }

        @Test func `a cut one says so in words`() {
            let cut = Array(PictureSamples.squares(side: 16).prefix(300))
            #expect {
                try Self.picture(cut)
            } throws: {
                "\($0)".hasPrefix("cannot be drawn: ") && "\($0)".count > 20
            }
        }

        @Test func `it is given up when nobody waits for it`() {
            #expect(throws: PictureError.cancelled) {
                try Picture(Bytes(PictureSamples.squares(side: 4)), .png) { true }
            }
        }

        private static func picture(_ bytes: [UInt8]) throws -> Picture { try Picture(Bytes(bytes), .png) }

        private static func look(at bytes: [UInt8]) throws {
            do throws(PictureError) {
                let picture = try Picture(Bytes(bytes), .png)
                #expect(picture.bitmap.size.width <= Picture.largest.width)
            } catch {
                #expect(!error.description.isEmpty)
            }
        }
    }

    @Suite(.enabled(if: PictureLibraries.hasJPEG, "\(PictureLibraries.withoutJPEG)"))
    struct JPEG {
        @Test(arguments: ["one scan", "progressive", "four inks"])
        func `it is decoded in each of its kinds`(kind: String) throws {
            let bytes = try #require(PictureSamples.jpegs[kind])
            let picture = try Picture(Bytes(bytes), .jpeg)
            #expect(picture.size == PixelSize(width: 16, height: 16))
            #expect(picture.damage == nil)
            let wanted = [RGB(255, 0, 0), RGB(0, 255, 0), RGB(0, 0, 255), RGB(255, 255, 255)]
            for (corner, color) in zip(picture.bitmap.corners, wanted) {
                #expect(corner.isNear(color), "\(corner) is not \(color)")
            }
        }

        @Test func `it is turned as its camera says`() throws {
            let bytes = Bytes(PictureSamples.turnedJPEG)
            let picture = try Picture(bytes, .jpeg)
            #expect(picture.size == PixelSize(width: 8, height: 16))
            #expect(ImageKind(bytes)?.height == 16)
            let wanted = [RGB(255, 0, 0), RGB(255, 0, 0), RGB(0, 255, 0), RGB(0, 255, 0)]
            #expect(zip(picture.bitmap.corners, wanted).allSatisfy { $0.isNear($1) }, "\(picture.bitmap.corners)")
        }

        @Test func `a cut one is shown as far as it came, with what is wrong`() throws {
            let picture = try Picture(Bytes(PictureSamples.jpeg.dropLast(12)), .jpeg)
            #expect(picture.damage?.isEmpty == false)
            #expect(picture.bitmap[0, 0].isNear(RGB(255, 0, 0)))
        }

        @Test func `a header that asks for gigabytes is refused at once`() throws {
            for (sample, limit) in [
                (PictureSamples.jpeg, "100 megapixels"), (PictureSamples.progressiveJPEG, "50 megapixels"),
            ] {
                var bomb = sample
                let frame = try #require(
                    (0..<bomb.count - 1).first { bomb[$0] == 0xFF && [0xC0, 0xC2].contains(bomb[$0 + 1]) })
                bomb.replaceSubrange(frame + 5..<frame + 9, with: [0xFF, 0xDC, 0xFF, 0xDC])
                #expect(throws: PictureError.tooLarge(limit: limit)) { try Picture(Bytes(bomb), .jpeg) }
            }
        }

        @Test(arguments: ["one scan", "turned", "four inks"])
        func `whatever is cut off or changed, there is a picture or a reason`(kind: String) throws {
            let sample = try #require(PictureSamples.jpegs[kind])
            for version in Damage.versions(of: sample) {
                do throws(PictureError) {
                    let picture = try Picture(Bytes(version), .jpeg)
                    #expect(picture.bitmap.size.width <= Picture.largest.width)
                } catch {
                    #expect(!error.description.isEmpty)
                }
            }
        }
    }

    @Test func `other formats are named and not drawn`() throws {
        let gif = Bytes(Array("GIF89a".utf8) + [16, 0, 32, 0])
        let kind = try #require(ImageKind(gif))
        #expect(throws: PictureError.unknownFormat) { try Picture(gif, kind) }
    }
}

extension Picture {
    fileprivate init(_ bytes: Bytes, _ format: ImageKind.Format, isCancelled: () -> Bool = { false })
        throws(PictureError)
    {
        guard let kind = ImageKind(Bytes(Self.start(of: format))) else { throw .unknownFormat }
        try self.init(bytes, kind, isCancelled: isCancelled)
    }

    private static func start(of format: ImageKind.Format) -> [UInt8] {
        format == .jpeg ? [0xFF, 0xD8, 0xFF] : [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
    }
}

extension Bitmap {
    /// From the top left to the bottom right.
    fileprivate var corners: [RGB] {
        [(0, 0), (size.width - 1, 0), (0, size.height - 1), (size.width - 1, size.height - 1)].map { self[$0.0, $0.1] }
    }
}

extension RGB {
    fileprivate func isNear(_ other: RGB) -> Bool {
        zip([red, green, blue], [other.red, other.green, other.blue]).allSatisfy { abs(Int($0) - Int($1)) < 12 }
    }
}
