"""Everyday statements: what was silent although everybody would mark it, and what was marked although it is right."""

import pytest

from tests.bench.bench_mining import miner, passage

MINER = miner()

WRONG = [
    ("Eight cards at $2 an hour come to $18 an hour.", "$18 an hour"),
    ("An availability of 99.9% allows 4.5 hours of downtime a year.", "4.5 hours"),
    ("The share of the old plan fell from 50% to 30%, fifteen points.", "fifteen points"),
    ("A card at $1.50 an hour costs $45 a day.", "$45 a day"),
    ("The press costs €24,000 and saves €2,000 a month, so it pays back in 19 months.", "19 months"),
    ("Marta did 18 of the 72 interviews herself, a half of them, and typed none.", "a half"),
    ("A layout costs £8 a page. The book has 12 chapters of 20 pages, hence £2,600 before the printing fee.", "£2,600"),
    ("He scored in 36 of his 48 matches, i.e. 58%, and never faced a break point in court.", "58%"),
    ("Our rent went from €900 to €1,080, an increase of 35%, because the owner had painted the hall.", "35%"),
    ("The loan of €30,000 at 5% costs €2,300 interest a year.", "€2,300"),
    ("The firm has 9,000 workers, 3,000 of them abroad; that is a quarter.", "a quarter"),
    ("The fee fell from $96 to $72 a month, a cut of 40%.", "40%"),
    ("Of the 300 staff 60, that is 30%, run their own shop.", "30%"),
    ("The meal was $100, the wine $20 and the tip came to $15, a total of $170.", "$170"),
    ("The tracer has a half-life of 6 days. The store shrank from 80 g to 20 g, so half is left.", "half"),
    ("The wood lasted from 1 October to 1 March, eight months.", "eight months"),
    ("- Power $10k a year + rent $5k a year = $19k a year.", "$19k a year"),
    ("Lamb is €20 a kilo, pork €10, so pork costs two thirds as much.", "two thirds"),
    ("The choir shrank by 12 singers, from 60 to 42.", "12"),
    ("Copper gained $300 over the month, from $8,200 to $8,900 a tonne.", "$300"),
    ("The kettle weighs 900 g, 100 g less than the 1,200 g of the old one.", "100"),
    ("I paid €45 for the coat, €15 more than the €40 in the shop next door.", "€15"),
    ("Fares brought in £26,000, up £3,000 from £20,000.", "£3,000"),
    ("The petition was signed by 60% of tenants, 90 out of 120.", "60%"),
    ("One in four flats, 30 of 180, stands empty.", "One in four"),
    ("Of 60 boats, 25 went north, 20 south, and the other 25 stayed in harbour.", "25"),
    ("Of the 40 runners in the club, 22 have a coach and the other 14 have none.", "14"),
    ("The winger has 24 tries in 32 games, 0.85 a game.", "0.85"),
    ("The help desk closes 1,600 of 2,000 tickets and leaves 450 to engineers.", "450"),
    ("The stages took 14, 12, 11 and 8.5 seconds, 49.5 seconds combined.", "49.5 seconds"),
    ("Cleaning costs £20,000 a quarter, which makes £60,000 a year.", "£60,000 a year"),
    ("A disc of 80 GB that holds 52 GB has 36 GB free.", "36 GB"),
    ("The mast is 27 feet high, up 5 from 24.", "5"),
    ("The canal is 3,000 feet long, 800 more than the 2,500 of the other branch.", "800"),
    ("Ines earns €90,000 and Otto €30,000, four times as much.", "four times"),
    ("Turnover was $500 and profit $100, a margin of 25%.", "25%"),
    ("A fifth of the class passed, 8 of 28.", "A fifth"),
    ("The tent weighs 900 g, which is 100 g less than the 1,200 g of the other.", "100"),
    ("Orders grew 5% a year for three years, from 200 to 280.", "280"),
    ("I'm paid $20 an hour and worked 30 hours, so I got $700.", "$700"),
    ("Turnout fell by 9 points, from 62% to 57%.", "9 points"),
    ("Printing 900 pages at 150 pages an hour takes eight hours.", "eight hours"),
    ("The fleet has 12 vans, 5 lorries and 4 bikes, 27 vehicles in all.", "27"),
    ("There are 31 flats on the estate: 18 to let and 17 owned.", "31"),
    ("Of the 90 lambs, 58 were sold and 46 were kept.", "90"),
    ("With 40 points, Ana has twice as many as Lea, who has 25.", "twice"),
    ("The express needs 30 minutes, 40% less than the slow train, which takes 60.", "40%"),
    ("Visits averaged 27,000 over two weeks of 21,000 and 25,000.", "27,000"),
    ("Ticket sales doubled to $9,600 from $4,200.", "$4,200"),
    ("Desks taken (May) → 270/360 = 0.6", "0.6"),
    ("An uptime of 99.5% allows 43.8 hours a year. Latency fell from 2.4 to 1.8 seconds, a cut of 35%.", "35%"),
    ("Since 2011 rents have doubled, from €600 to €1,500.", "€1,500"),
    ("The rowing club quadrupled after the Games, going from 80 to 160.", "quadrupled"),
    ("Rain came to 84 mm where 56 mm is usual, in other words a quarter as much again.", "a quarter"),
    ("In the run-off Duarte took 14,300 of the 26,000 votes. Her 75% was the clearest result.", "75%"),
    ("Of the 12 TB that we moved, 3 TB were free; the other 7 TB were billed.", "7 TB"),
    ("Of 900 homes 840 have fibre. The 90 that are still waiting lie by the river.", "90"),
    ("Headcount 280 → 240 (−55)", "55"),
    ("In its first 20 hours after launch the probe flew 1.44 million km, an average of 14 km per second.", "14"),
    ("Averaging 24 points over five games, he has 144 in total.", "144"),
    ("Of our 60 desks, 44 are taken and the rest, 22, are free.", "22"),
    (
        "The grant of £50,000 was made up of £20,000 from the city, £15,000 from the lottery and £10,000 from a bank.",
        "£50,000",
    ),
]
FAIR = [
    "Support has gone from 41 to 52 per cent, says the pollster (margin of error: 3 points).",
    "Leg times (min): Ida 61, Bert 59, Carl 64. Together 3 h 04, a record of the club.",
    "The surcharge is 12% of a bill of $300. On a bill of $9,000 it would hardly be seen.",
    "With $p$ stages and $m$ batches the share is $(p-1)/(m+p-1)$; four stages and 12 batches waste 20%.",
    "On the 150 tasks a score of 70% carries ±7 points at 95%.",
    "A dozen rolls is $3.60; a single roll, 45 cents.",
    "Last year the shop sold 900 lamps. Repairs were up 20% that year, to 2,400 jobs.",
    "You can subscribe for $12 a month or $120 a year.",
    "Departs 9:30, arrives 10:20 local time, which is one hour behind; flying time 1 h 50.",
    "Spoon run: 500 pcs, $2k all in, i.e. $48 per dozen.",
    "I bought 4 cups and 3 plates, and with the jug that made 8 things in all.",
    "The 9 kg drum replaces the 12 kg one and is 40% cheaper.",
    "We wrote to three councils: Bath and Wells, Tyne and Wear, and Perth and Kinross.",
    "She slept from 11:30 to 6:15, a little under seven hours.",
    "A record 42 clubs took part: 25 from Wales, 11 from Ireland, and others from as far away as Chile.",
    "The winger played 14 matches: 6 goals, 2 assists and one red card.",
    "The trio has made 9 records: 5 live, 4 with a guest, 2 in a single night.",
    "Of 30 doors on the ground floor, 17 were cracked and 19 needed paint.",
    "Of the 25 vans tested, 8 failed on brakes, 6 failed on lights and 15 passed.",
    "Soup costs £3 and bread £4; twice as many guests order soup.",
    "The 1985 edition has 300 pages and the new one 350, with three times as many pictures.",
    "The choir's takings doubled as its membership rose from 60 to 90.",
    "The shop doubled its sales after moving from 14 Mill Road to 30 Bridge Lane.",
    "Of 40 chairs 25 went to the hall, leaving 12 once the broken ones had been thrown out.",
    "Of the 18 crates 7 were opened on Monday, and the remaining 9 that were not spoiled went into the store.",
    "Jo, 14, and her sister, 11, are two and a half years apart.",
    "He has 12 grandchildren: 3 doctors and 2 lawyers.",
    "Plums: 3 kg for $9. Figs: $6, gone by noon.",
    "Of the 90 lambs, 58 were ewes and 46 were black.",
    "The town has 9 schools, among them 3 with a pool and 2 with a theatre.",
    "We drove out at 60 mph and came back along the same road at 40, averaging 48 mph.",
    "The new mirror is 8 m across, the old one 2 m, so it collects 16 times as much light.",
    "The letter has 640 readers, 128 of them gained since June. That is growth of 25%.",
    "Three seats at £40 each came to £127.50 once the site had added its booking fee.",
    "At 60% utilisation a $2 GPU-hour effectively costs $3.33.",
    "It's $90 against $10 a month, so you save a quarter.",
    "The tracer has a half-life of 6 days. By day 18 one eighth of it is left.",
    "Readers double every year: from 200 to 1,600 in three years.",
    "Readers double every year, and there were 200, 1,600 after three of them.",
    "A rival asks 12 cents a minute, we pay 18. On 70,000 minutes a month we'd save $4,200.",
    "The house is listed at £310,000. Its neighbour went for £350,000 in 2023, 5% over its own asking price.",
    "We saw 310 faults in the sample; at 10% sampling that's some 3,000 in all.",
    "The old pump moved 30 litres a minute and its successor moves 46, so every hour we gain 960 litres.",
    "A cleaner at $90 a day costs $450 a week.",
    "A factory makes 400 chairs a day, 2,000 a week.",
    "A mortgage of £200,000 at 4% over 25 years costs £1,056 a month.",
    "The two repairs were £400 and £300, a total of £840 with VAT on top.",
    "The camera is $500 and the lens $300, together $700 in the bundle.",
    "The flight of 3,000 km at 750 km/h takes 6 hours, stops included.",
    "After tax, 3 shifts at $100 come to $240.",
    "The toll has been cut 3 times this year, from 4% to 2.5%.",
    "The toll has been cut three times this year, from 4% to 2.5%.",
    "- Over 4 years: $60k hardware + $10k power a year = $100k.",
    "The wood lasted from 1 October to 1 March, five months.",
    "We drove 350 km in 5 hours, an average of 75 km/h.",
    "The harbour has 26 cranes, two of them still under repair, shed 9.",
    "Prices were cut by 5 in the sale of May, and went from 60 to 40 over the year.",
    "Visits fell by 40 a day, from 6,000 to 4,800 a month.",
    "Rents rose 5% in the survey: 30 of 40 landlords had asked for more.",
    "A discount of 20% is given on some of them, 30 out of 90.",
    "The pump moves 3 litres a second, 180 a minute.",
    "The line lost 4 kW all day, 96 kWh.",
    "Cleaning costs £20,000 a quarter, about £6,700 a month.",
    "The network reaches 60% of the county, 3 of 4 towns.",
    "Attendance fell by 200 on the first night, from 1,000 to 600 on the last.",
    "A desk that takes in 500 letters and sends out 100 a day is six times as busy by the second count.",
    "Tin closed at $2,200, up $200 on the week, which is 10%.",
    "It's $96 against $12 a month, so you save a third.",
    "The tram leaves at 7.48 and pulls in at 8.13: 25 minutes.",
    "In 1911 the parish had 1,480 inhabitants, in 1951 it had 960. Church attendance halved in the 1960s.",
    "Steel output dropped from 3.2 to 2.7 Mt. Exports of steel halved in the same year.",
    "The way there used to be 25 minutes and is now 40 each way. Five days a week that costs her 150 minutes more.",
    "With 3 million listeners the show has lost 200,000 in a year; its share, 16.4%, is a record.",
    "The race of 32,000 included 12,800 women, so men made up 60% of it.",
    "Sheep and goats together number 2,750. There are ten sheep to each goat, so goats come to 250.",
    "The line makes 90 units a minute and we scrap 2%. An eight-hour shift ends up with 42,336 good units.",
    "At 110 rather than 130 km/h you use about a fifth less.",
    "A US pint is 473 ml, an imperial one 568, so the 20% difference in price is nothing to complain about.",
    "With a dog: 21%. With a cat: 26%. With either: 39%.",
    "They raised prices 9% in April and another 5% in October, so the pallet that was €1,000 is €1,290 now, of another brand.",
    "They drank two bottles at $12.50 a glass, for a bill of $150.",
    "The deal will add 90 cents to 95 cents a share, or 35 percent, to what it earns.",
    "Traders agreed, bidding up the shares $5.55, or 14.3 percent, to close at $44.31 that day.",
    "Hours of work have declined from 60 to 40 a week, the output of a worker has tripled.",
    "The shares gained 61 cents, or 7.1 percent, to $9.24.",
    "The mask 10001 without 01101 is 11100.",
    "The screen is 27 inches, up 3 from 24.",
    "The drift is 40 cm deep, up 10 from 30.",
    "The climb is 3,000 feet, 500 more than the 2,500 of the other route.",
    "A bolt is 50 mm long, 10 longer than the 40 in the box.",
    "Ten guards at 38 hours a week make 19,760 hours.",
    "At $25 an hour and 40 hours a week he makes $52,000.",
    "Five editors at $80 a month cost $4,800.",
    "5 desks cost $12 a month each, $720 in all.",
    "3 pumps at 20 litres a minute fill 3,600 litres.",
    "A sale of 30 cups a day at $4 makes $3,600.",
    "The yearly ticket costs $96, $24 less than paying $10 monthly.",
    "The pass costs $60, $12 less than the $6 monthly fee.",
    "It was -3 degrees, down 5 from 2.",
    "90% of the errors come from a few hosts, 3 of 40.",
    "60% of the spend is in few services, 3 of 12.",
    "The quorum is 50%: 6 of 11.",
    "Of 48 nests, 30 held eggs and the other 15 stood empty. Three could not be reached.",
    "Of 20 teams, 12 play at home and the other 3 teams abroad.",
    "Of the 2 classes, one has 30 pupils and the other 25.",
    "Of 60 homes, 38 were checked and the other 20 or so were not.",
    "The ferry was delayed by 3 hours, from 11 to 2.",
    "Bids go up by 50, from 500 to 1,000.",
    "The share fell by 2 cents, from 1.10 to 1.08.",
    "The lap was cut by 30 seconds, from 2 to 1.5.",
    "She threw 8.1 m, 20 more than the 7.9 of last year.",
    "The premium went up by $60, from $20 to $25 a month.",
    "At 90 km/h on the motorway the 300 km take 4 hours.",
    "20 places at $500 cost us $6,000 after the grant.",
    "40 boxes at $3 bring in $90 net.",
    "We sold 20 or more at $3, $75 in all.",
    "A fund grew 10% a year for two years, from €100 million to €121 million.",
    "Orders grew 10% a year, from $100m to $121m.",
    "Revenue grew by 4% a year from 2019 to 2022, from £1.0m to £1.12m.",
    "The card draws 700 W at peak; over a day of mixed use we measured 11 kWh.",
    "We ordered 70 chairs and got 58; five are on a lorry and the rest were cancelled.",
    "Lunch costs £2.60 a day or £12 a week.",
    "Membership costs 9 a month, or 90 for a year paid in advance.",
    "He bills $400 a day, which is $2,000 a week.",
    "Rates are $30 an hour ($240 a day).",
    "The list shows 25 records a page, so for 190 matches one has to fetch eight pages.",
    "The machine can fold 900 envelopes an hour. Yesterday's eight-hour shift turned out 6,150.",
    "With 70% of the work done, the project has used 1.1m of its 2.0m budget.",
    "Gate 1 saw 17 vans, Gate 2 had 23 and Gate 3 has 9; that makes 49 vans.",
    "It lists at $2 per million tokens; 900 million of them, most of them cached, cost us $640.",
]


def verdicts(text):
    """The figures that are refuted, and those that are not but are judged."""
    return [(one.verdict, text[one.figure_start : one.figure_end]) for one in MINER.mine(passage(text))]


@pytest.mark.parametrize(("text", "figure"), WRONG)
def test_a_plain_mistake_is_marked(text, figure):
    """Rounded inputs, factors that nothing names and words about something else excused every one of these."""
    assert ("refuted", figure) in verdicts(text)


@pytest.mark.parametrize("text", FAIR)
def test_what_a_careful_reader_would_not_mark_is_not_marked(text):
    assert "refuted" not in [verdict for verdict, _ in verdicts(text)]


@pytest.mark.parametrize(
    ("text", "figure"),
    [
        ("The screen is 27 inches, up 3 from 24.", "3"),
        ("A bottle of 750 ml is there too, 250 more than the 500 of the small one.", "250"),
        ("A fund grew 10% a year for two years, from €100 million to €121 million.", "10%"),
    ],
)
def test_a_bare_number_is_in_the_unit_of_its_neighbour_and_a_rate_compounds(text, figure):
    """Read without its unit the 3 was refuted: 27 and 24 inches differ by 0.076 m."""
    assert ("holds", figure) in verdicts(text)


@pytest.mark.parametrize(
    "text",
    [
        "Red took 41 seats, Blue 13, others 6, so the new house has 60 members, two of them under 36.",
        "The 62 shops made £40m between them. The typical branch turns over £292,500.",
        "Sixteen clubs play each other once, 120 matches, spread over 7 weekends.",
        "It costs $900 to win a client who pays $75 monthly with a margin of 80% => 9 months.",
        "I run 5 km in 27:30. A kilometre takes me 5:30, so ten of them in under 85 is a dream.",
    ],
)
def test_a_bound_holds_only_for_what_is_of_its_size_and_no_arrow_or_verb_makes_one(text):
    """What turns over £292,500 was read as at least that, and *=> 9* as 9 or more, so that anything larger held."""
    last = text.rindex(next(figure for figure in ("36", "£292", "7 w", "9 m", "85") if figure in text))
    held = [one for one in MINER.mine(passage(text)) if one.verdict == "holds" and one.figure_start == last]
    assert held == []


def test_an_item_without_a_price_leaves_a_total_open():
    text = "Bill 17: 3 hours at $80, and a call-out charge. Total $310."
    assert verdicts(text) in ([], [("needs-assumption", "$310")])
