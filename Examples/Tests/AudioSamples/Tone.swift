public import Foundation

/// A sine wave.
///
/// A value.
public struct Tone: Sendable {
  private let seconds: Double
  private let frequency: Double
  private let channels: Int
  private static let sampleRate = 44_100

  /// Describes a tone.
  public init(seconds: Double, frequency: Double, channels: Int = 1) {
    self.seconds = seconds
    self.frequency = frequency
    self.channels = channels
  }

  /// A WAV file of 16 bits and 44,100 samples a second.
  public func wav() -> Data {
    let count = Int(seconds * Double(Self.sampleRate))
    var samples: [UInt8] = []
    samples.reserveCapacity(count * channels * 2)
    for index in 0..<count {
      let angle = 2 * Double.pi * frequency * Double(index) / Double(Self.sampleRate)
      let sample = UInt16(bitPattern: Int16(8_000 * sin(angle)))
      for _ in 0..<channels { samples += [UInt8(sample & 0xFF), UInt8(sample >> 8)] }
    }
    return Self.wav(samples, channels: channels, bitsPerSample: 16)
  }

  /// A WAV file with given samples.
  public static func wav(_ samples: [UInt8], channels: Int, bitsPerSample: Int) -> Data {
    let blockSize = channels * bitsPerSample / 8
    let header: [[UInt8]] = [
      Array("RIFF".utf8), number(36 + samples.count, 4), Array("WAVEfmt ".utf8), number(16, 4),
      number(1, 2), number(channels, 2), number(sampleRate, 4), number(sampleRate * blockSize, 4),
      number(blockSize, 2), number(bitsPerSample, 2), Array("data".utf8), number(samples.count, 4),
    ]
    return Data(header.joined()) + Data(samples)
  }

  private static func number(_ value: Int, _ count: Int) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
  }
}
