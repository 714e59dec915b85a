extension StoryTemplate {
  static let adventure = StoryTemplate(
    titles: [
      "{hero} and the {thing}", "The Secret of the {thing}", "{hero}'s Journey to {place}",
    ],
    places: [
      "Lantern Island", "the Whispering Hills", "the Valley of Bells", "the Hidden Harbour",
    ],
    things: ["Silver Compass", "Paper Map", "Singing Key", "Copper Bottle"],
    openings: [
      "The morning was {weather} when {hero} found the {thing} under a loose board in the attic. It was wrapped in a cloth with four words sewn on it: “Bring me to {place}.”",
      "It began with a knock. In front of the door lay the {thing}, and beside it a note in curly letters. “Whoever finds this must take it to {place},” {hero} read aloud.",
    ],
    problems: [
      "There was just one trouble: no road led to {place}. There was a river, and behind the river a forest, and behind the forest nobody knew what. “Then we shall be the first to know,” said {hero}.",
      "“I have heard of {place},” said {helper}. “But the bridge fell down years ago, and the path is overgrown. You will need sharp eyes and good company.” {hero} looked at {friend}. They had both.",
    ],
    attempts: [
      "First they came to the river. It was too wide to jump and too cold to swim. {friend} found an old door in the reeds, and {hero} found two boards, and the door made a very good raft.",
      "Then they came to the forest. Every path looked like every other path. {hero} tied a red thread to a branch at each turn, so that they never walked in a circle twice.",
      "A fog rolled in, thick as porridge. They could not see their own feet. “Hold on to me,” said {friend}, and step by step they went on, counting aloud, until the fog grew thin.",
      "At the foot of a cliff the way came to an end. {hero} looked for a long time, and saw what others had missed: small steps, cut into the stone, green with moss.",
      "A sleepy bear lay across the path. Nobody wakes a bear. So they went round it on the tips of their toes, and did not even sneeze.",
    ],
    turns: [
      "And then, behind the last rise, there it was: {place}. The {thing} began to hum in {hero}'s hands. It grew warm, and it pointed to an old stone with a hollow that had just the right shape.",
      "When the sun went down, they saw the lights. “{place}!” cried {friend}. {hero} held up the {thing}, and far away somebody held up a lamp in answer.",
    ],
    endings: [
      "{hero} set the {thing} down where it belonged. All at once a hundred little lamps were lit, and the people of {place} came out of their houses and cheered. “We have waited so long for this,” they said. There was a feast that lasted until morning.",
      "An old woman took the {thing} and laughed until she cried. “I lost it when I was as small as you,” she said. “And now I know who should keep it.” She put it back into {hero}'s hands and closed them gently.",
    ])

  static let friendship = StoryTemplate(
    titles: ["{hero} and the New Friend", "The {thing} for Two", "A Place for {friend}"],
    places: ["the old orchard", "the willow by the pond", "the empty boathouse", "the sunny wall"],
    things: ["Tree House", "Kite", "Blue Boat", "Patchwork Tent"],
    openings: [
      "The day was {weather}, and {hero} and {friend} had a plan. At {place} they were going to build the finest {thing} that anyone had ever seen.",
      "Every afternoon, {hero} and {friend} met at {place}. It was their own place, and this summer they were making a {thing} there.",
    ],
    problems: [
      "But they could not agree. {hero} wanted it red. {friend} wanted it green. They talked louder and louder, until {friend} turned round and went home. All at once {place} was very quiet.",
      "Then a new child came and stood by the fence and watched. “There is only room for two,” {hero} said, and was sorry the moment it was said. The child walked away with a bent head.",
    ],
    attempts: [
      "{hero} tried to go on alone. But one pair of hands cannot hold both ends of a board. It fell down, and it fell down again, and there was nobody to laugh with about it.",
      "{hero} asked {helper} what to do. “When I have been silly,” said {helper}, “I say so. It is hard for as long as it takes to say it. Then it is easy.”",
      "{hero} drew a picture of the {thing}, with a red half and a green half and a little flag on top. It looked better than anything that was only red or only green.",
      "{hero} packed {snack} and went looking, down the lane, past the mill, and all the way to the bridge.",
      "Under the bridge somebody was throwing stones into the water, one after the other, as one does when one is sad.",
    ],
    turns: [
      "“I am sorry,” said {hero}. “I was thinking only of myself.” For a moment nothing happened. Then there was a small smile, and then a big one.",
      "{hero} held out a hand. “Will you help us? It is no good without you.” And because it was true, it was not difficult to believe.",
    ],
    endings: [
      "They worked until the stars came out. When the {thing} was done, it had room for everyone, and for one more, in case somebody came by.",
      "Now the {thing} is the best in the whole country. It is a little crooked. But whoever looks at it can see that friends have made it.",
    ])

  static let courage = StoryTemplate(
    titles: ["{hero} and the {thing}", "The Night of the {thing}", "How {hero} Was Brave"],
    places: [
      "the top of the mill", "the far end of the cave", "the great stage", "the high bridge",
    ],
    things: ["Great Storm", "Dark Cave", "Big Stage", "Long Night"],
    openings: [
      "{hero} was good at many things, but there was one thing that {hero} never did: go to {place}. Even thinking of it made {hero}'s knees feel like jelly.",
      "Everyone in town had been to {place}. Everyone but {hero}. “Next year,” {hero} always said, and quickly spoke of something else.",
    ],
    problems: [
      "Then, on a day that was {weather}, news came running up the street. A little kitten was stuck at {place}, and it was crying. Everyone else was out in the fields. There was only {hero}.",
      "But today {friend} needed help, and help was at {place}. There was no time to wait for next year. There was hardly time to be afraid.",
    ],
    attempts: [
      "{hero} took one step. Then {hero} looked down, and took one step back. “That makes none,” said {friend} kindly. “But it was a start.”",
      "“What do you do when you are frightened?” {hero} asked {helper}. “I am frightened, and I go on,” said {helper}. “That is all there is to it. It is called courage.”",
      "{hero} breathed in and counted to four, and breathed out and counted to four. The jelly in {hero}'s knees became a little firmer.",
      "{hero} thought of {interest}, very hard. It is not easy to think of two things at a time, and so there was less room for the fear.",
      "{hero} began to hum a song. It came out wobbly. But a wobbly song is a song all the same, and the dark did not feel so dark.",
    ],
    turns: [
      "One step, and another, and another. And then there were no more steps to take. {hero} was standing at {place}, with a heart that beat like a drum.",
      "“I am coming!” called {hero}. And because it was said aloud, it had to be true.",
    ],
    endings: [
      "When {hero} came back, everyone wanted to know what it had been like. “Scary,” said {hero}. “And then less scary. And then it was wonderful.” {friend} was so proud that nobody could get a word in.",
      "From then on {hero} often went to {place}. The fear came along now and then. But it had become small, and {hero} knew how to talk to it.",
    ])

  static let kindness = StoryTemplate(
    titles: ["{hero} and the {thing}", "The {thing} That Went Around", "One Kind Day"],
    places: ["Market Street", "the house with the blue door", "the village green", "the harbour"],
    things: ["Warm Scarf", "Yellow Umbrella", "Red Wagon", "Little Lantern"],
    openings: [
      "{hero} had saved for a whole month, and on a day that was {weather} the {thing} was finally {hero}'s own. It was exactly as lovely as it had looked in the window.",
      "At {place} there is a shop that sells one of everything. That is where {hero} got the {thing}, with {friend} looking on.",
    ],
    problems: [
      "On the way home they met {helper}, who sat on a step and looked as if the day had been much too long. {hero} held the {thing} a little tighter. Then a little less tight.",
      "But at {place} someone was crying, not loudly, but so that it was hard to walk by. Many people did walk by. {hero} stopped.",
    ],
    attempts: [
      "“Can I help?” asked {hero}. It is a short question. You would be surprised how few people ask it.",
      "{hero} told a joke, and it was not a very good one. But it was told kindly, and that counts for more than the ending.",
      "They shared {snack}. There was not much of it. Strangely, there was enough.",
      "{friend} ran ahead and opened every gate, and {hero} carried the heavy basket all the way up the hill.",
      "“You like {interest}?” someone asked. “So do I!” And they talked about it until they had forgotten that they were strangers.",
    ],
    turns: [
      "Then {hero} knew what to do. “This is for you,” said {hero}, and gave the {thing} away. It felt like jumping into cold water: terrible just before, and wonderful just after.",
      "“Take the {thing},” said {hero}. “You need it more today. I can need it tomorrow.”",
    ],
    endings: [
      "A week later there was a parcel in front of {hero}'s door. In it was the {thing}, and a letter with nine names on it. Everyone on the list had needed it for a day, and had passed it on. Under the last name there was room for another.",
      "The {thing} did not come back. But ever since that day, people at {place} say hello to each other, and hold doors open, and nobody quite remembers how it began. {hero} remembers. {friend} does too.",
    ])

  static let curiosity = StoryTemplate(
    titles: ["{hero} Asks Why", "The Mystery of the {thing}", "{hero} and the {thing}"],
    places: ["the museum cellar", "the riverbank", "the observatory", "the back of the garden"],
    things: ["Humming Stone", "Upside-Down Clock", "Blue Footprint", "Empty Nest"],
    openings: [
      "{hero} asked a hundred questions a day. On a morning that was {weather}, question number seven was the best one: “What is that?” For there, at {place}, was the {thing}.",
      "Nobody had ever seen anything like the {thing}. It was at {place}, where yesterday there had been nothing at all.",
    ],
    problems: [
      "“It has always been there,” said some. “It is nothing,” said others. {hero} did not think that these were answers. An answer makes you say “Oh!”, and nobody had said “Oh!”",
      "“We shall find out,” said {hero}, and took a notebook and wrote on the first page: What do we know? Under it there was not much. But a page that is almost empty is a good beginning.",
    ],
    attempts: [
      "First they measured it. {friend} held the string and {hero} wrote down the numbers. The numbers were odd. They wrote down that too.",
      "Then they asked {helper}, who knew a great deal. “I do not know,” said {helper}. “Is that not exciting?”",
      "They watched it for a whole afternoon. For a long time nothing happened. Then, just when the clock struck four, something moved.",
      "{hero} had an idea, and the idea was wrong. “Good,” said {friend}. “Now we know one thing that it is not.” They crossed it out neatly and went on.",
      "In the library there was a book with a picture on page ninety. It looked a little like the {thing}, if you held it to the light. It also had to do with {interest}.",
    ],
    turns: [
      "And then, all at once, everything fitted together: the numbers, the clock, and page ninety. “Oh!” said {hero}. And {friend} said “Oh!” as well.",
      "{hero} turned the notebook round. Sometimes an answer has been lying there all the time, only upside down.",
    ],
    endings: [
      "They told everyone at {place} what they had found out. People clapped. But the nicest thing was on the last page of the notebook, where {hero} had written: Three new questions. Tomorrow.",
      "Today there is a small sign beside the {thing}. It says what it is, and who found out. Under it somebody has written in pencil: “But why?” {hero} laughed, and opened the notebook again.",
    ])

  static let bedtime = StoryTemplate(
    titles: ["{hero} and the {thing}", "Good Night, {hero}", "The {thing} Above the Roofs"],
    places: ["the quiet meadow", "the little bay", "the house on the hill", "the snowy garden"],
    things: ["Sleepy Moon", "Night Train", "Star Lamp", "Cloud Boat"],
    openings: [
      "The evening was {weather}, and {hero} was not tired at all. Outside, above {place}, the {thing} was just setting out.",
      "When all the windows were dark but one, the {thing} stopped in front of {hero}'s room, as softly as a feather. “Is anyone still awake?” it asked.",
    ],
    problems: [
      "“I cannot sleep,” said {hero}. “There is too much in my head.” “Then we shall take it for a ride,” said the {thing}, “until it has become light.”",
      "“Somebody has lost their dreams,” said the {thing}. “Will you help to look for them? It is not far. It is only as far as {place}.”",
    ],
    attempts: [
      "They floated over the roofs. In one house somebody hummed. In one house somebody snored. In one house a cat sat in the window, and knew everything, and said nothing.",
      "They came to {place}. The grass was asleep. The wind was almost asleep. {friend} said good night to each of the trees, and that took a while.",
      "They counted lights. There were twelve, then nine, then four. Each one that went out made the stars a little brighter.",
      "{hero} told the {thing} about the day, from its beginning to its end. And as it was told, the day lay down and was quiet.",
      "Something small and warm sat by the way. It was a dream about {interest}. {hero} put it carefully into a pocket.",
    ],
    turns: [
      "{hero}'s eyes grew heavy. “We have found everything,” said {friend} in a whisper. “Now we may go home.”",
      "“Listen,” said the {thing}. There was nothing to hear. It was the most beautiful nothing in the world.",
    ],
    endings: [
      "The bed was still warm. {friend} curled up at its end. The {thing} went on over the hills, slowly, with its lamp turned down, to see who else might be awake.",
      "{hero} just had time to say good night. The blanket was soft, the room was dark and kind, and the dream in the pocket began to glow.",
    ])
}
